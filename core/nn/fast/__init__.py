"""What exists for a processor's sake alone, each beside a plain twin that computes the same.

The layers reach it through `functional`, and a training pass through `packed`. Which of two ways
serves is asked of the processor, never looked up by its name: what may not work at all is tried
once (`tried`), what may cost more than it saves is timed once (`timed`).
"""
