"""BertViz's own views: offline, escaped and bounded."""
