"""What one visitor has chosen: it stands in the session, in widgets and in the address."""
