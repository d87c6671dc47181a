"""Faults of the program and its environment: each is a function of a lane and the number of the try."""
