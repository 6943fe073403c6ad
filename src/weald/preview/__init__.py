"""Pictures that a person enjoys."""
