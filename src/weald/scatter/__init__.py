"""What stands there: species, layers, rules, attributes."""
