#pragma once

#include <stddef.h>
#include <termios.h>

// What a signal handler may use to give the terminal back: no ncurses, no allocation.

/// Works out, while ncurses is in good health, what to send to the terminal on `output` to leave the screen; `modes` are
/// those to go back to.
void terminal_remember(int output, const struct termios *modes);
void terminal_forget(void);

/// Sends it. Safe in a signal handler.
void terminal_restore(void);

/// Writes everything, or gives up at the first error that is not an interruption. Safe in a signal handler.
void terminal_write(int descriptor, const char *text, size_t length);
