// Doubles for the seams.
