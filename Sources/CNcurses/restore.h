#pragma once

#include <stddef.h>
#include <termios.h>

// Functions that restore the terminal in a signal handler: without ncurses and allocation.

/// Prepares the text that leaves the screen of the terminal on `output`. `modes` are the modes to restore.
void terminal_remember(int output, const struct termios *modes);
void terminal_forget(void);

/// Restores the terminal. Safe in a signal handler.
void terminal_restore(void);

/// Writes everything, or stops at the first error that isn't an interruption. Safe in a signal handler.
void terminal_write(int descriptor, const char *text, size_t length);
