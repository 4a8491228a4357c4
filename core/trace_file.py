"""Where traces were read and written before they had a room: programs that import it go on."""

from core.trace import load_trace, read_trace, save_trace

__all__ = ["load_trace", "read_trace", "save_trace"]
