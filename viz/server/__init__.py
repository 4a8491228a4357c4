"""What speaks HTTP: who asks, and how much at a time."""
