"""What the program does, as data that more than one test reads."""
