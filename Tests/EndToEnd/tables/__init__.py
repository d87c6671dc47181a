"""The program's behaviour, as data for more than one test."""
