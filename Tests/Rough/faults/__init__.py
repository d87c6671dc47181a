"""What is done to the program and to what it depends on: each fault is a function of a lane and of the try's number."""
