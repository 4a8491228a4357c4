"""Where the grammar was, as `python -m core.text.grammar` of cards and recipes has it."""

from core.grammar.__main__ import main

if __name__ == "__main__":
    main()
