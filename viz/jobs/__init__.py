"""What all visitors share: opened models, what they computed, and training runs."""
