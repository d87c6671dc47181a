#pragma once

#include <stdint.h>

// A terminal through ncursesw. ncurses has global state, so use only one terminal, from one thread.

enum {
    TERM_ATTRIBUTE_BOLD = 1,
    TERM_ATTRIBUTE_DIM = 2,
    TERM_ATTRIBUTE_REVERSE = 4,
    TERM_ATTRIBUTE_UNDERLINE = 8,
};

/// The results of term_check.
enum {
    TERM_USABLE = 0,
    TERM_UNKNOWN = 1,
    TERM_CANNOT_ADDRESS_CURSOR = 2,
};

/// Sets the character set from a locale; an empty name is the environment's.
void term_use_locale(const char *name);

/// Whether the terminal type `name`, on `output`, can show a full screen.
int term_check(const char *name, int output);

/// Takes over the terminal: raw input, no echo, alternate screen and bracketed paste.
/// - Returns: 0, or -1 on failure.
int term_open(const char *name, int input, int output);

/// Turns mouse events on or off.
void term_use_mouse(int mouse);

/// Restores the terminal. Does nothing when it isn't open.
void term_close(void);

/// Restores the terminal temporarily, and keeps the content of the screen for term_resume.
void term_suspend(void);
/// Restores the terminal temporarily for a program that draws. Stays on the alternate screen, so that a program without
/// its own doesn't draw over the shell's output.
void term_lend(void);
void term_resume(void);

/// Updates the size from the terminal. Clears the screen; the next refresh sends everything.
void term_resize(void);
int term_columns(void);
int term_rows(void);

/// The number of colours, or 0 without colours.
int term_colors(void);
/// Defines colour pair `pair` (from 1) as `foreground` on `background`, 0 to 15 each; -1 is the default one.
void term_define_pair(int pair, int foreground, int background);
/// Sets the colour pair of blank cells.
void term_set_background(int pair);

/// Draws a character with its combining marks. Shows `?` if the character set lacks it.
void term_put(int row, int column, const uint32_t *scalars, int count, int width, int attributes, int pair);
void term_move_cursor(int row, int column, int visible);
/// Clears every cell.
void term_erase(void);
void term_refresh(void);

/// Sends a control sequence that doesn't draw or move the cursor.
void term_send(const char *sequence);

// A terminal may take no output for any time, so a thread that draws may wait without limit. Another thread watches it.

/// Marks that this thread may wait for the terminal from now on, or no longer.
void term_begin_writing(void);
void term_end_writing(void);
/// Whether a thread has been writing to the terminal for this many milliseconds.
int term_is_stuck(int limit);
/// Ends all waiting for the terminal: from now on ncurses draws into nothing. term_close still restores the modes.
void term_give_up(void);
int term_is_given_up(void);

/// Whether this process is in the background of the terminal `output`, and using it would stop the process.
int term_is_in_background(int output);

/// The speed of a slow serial line in bits per second; -1 for any other terminal.
int term_speed(int input);

/// Returns an anonymous file in memory that child processes don't inherit, or -1.
int term_memory_file(void);

/// Writes the terminal's signals (resize, end, suspend, continue) to a pipe, one byte each.
/// - Returns: the reading end of the pipe, which the caller closes, or -1.
int term_watch_signals(void);
void term_unwatch_signals(void);

/// Restores the terminal in a crash before it is reported as usual. Writes the output diverted to `diverted`, unless
/// negative, to `error`, and makes `error` the standard error stream again.
void term_guard_crash(int error, int diverted);
/// Does the same at once, for a process that ends as it should.
void term_give_back(void);
void term_unguard_crash(void);

/// Stops the process group like the terminal's suspend key (SIGTSTP), or like a program that uses the terminal in the
/// background (SIGTTOU). Returns when it is continued.
void term_stop_process_group(int number);
