"""What all visitors share: opened models, and whose a training run is."""
