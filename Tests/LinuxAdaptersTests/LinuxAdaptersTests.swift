// Tests land with the code.
