#pragma once

#include <stddef.h>
#include <termios.h>

// Functions that restore the terminal in a signal handler: without ncurses and allocation.

/// Names the descriptor that ncurses will write to.
void terminal_use(int output);

/// Prepares the text that leaves the screen. `modes` are the modes to restore.
void terminal_remember(const struct termios *modes);
/// Nothing is to be restored until terminal_remember_again.
void terminal_forget(void);
void terminal_remember_again(void);

/// Restores the terminal. Gives up when it takes no output. Safe in a signal handler.
void terminal_restore(void);

/// Writes everything, or stops at the first error that isn't an interruption. Safe in a signal handler.
void terminal_write(int descriptor, const char *text, size_t length);

/// Like terminal_write, but gives up when the descriptor takes nothing for a short time. Safe in a signal handler.
int terminal_write_if_taken(int descriptor, const char *text, size_t length);

/// Whether the process is in the background of the terminal, and must not touch it.
int terminal_is_in_background(void);

/// Whether term_give_up was called.
int terminal_is_given_up(void);
