"""What exists for a processor's sake alone, each beside a plain twin that computes the same.

Layers reach it through `functional`; whole passes over padded batches, in training and in search,
are `packed`; what is trained on is `cross_entropy`. Which of two ways serves is told by the work's
sizes and kind, or asked of the processor, never looked up by its name: what may not work at all is
tried once (`tried`), what may cost more than it saves is timed once (`timed`).
"""
