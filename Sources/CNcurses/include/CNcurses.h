#pragma once

#include <stdint.h>

// A terminal through ncursesw, in plain integers. ncurses keeps its state in globals: one terminal at a time, one caller
// at a time.

enum {
    TERM_ATTRIBUTE_BOLD = 1,
    TERM_ATTRIBUTE_DIM = 2,
    TERM_ATTRIBUTE_REVERSE = 4,
    TERM_ATTRIBUTE_UNDERLINE = 8,
};

/// What term_check found.
enum {
    TERM_USABLE = 0,
    TERM_UNKNOWN = 1,
    TERM_CANNOT_ADDRESS_CURSOR = 2,
};

/// Takes the character set from the environment.
/// - Returns: 1 when it is UTF-8.
int term_locale_is_utf8(void);

/// Whether the terminal type `name`, on `output`, can show a full screen.
int term_check(const char *name, int output);

/// Takes the terminal over: raw input, no echo, alternate screen, bracketed paste, and with `mouse` its buttons and wheel.
/// - Returns: 0, or -1 when ncurses refused.
int term_open(const char *name, int input, int output, int mouse);

/// Gives it back. Safe when it is not open.
void term_close(void);

/// Gives the terminal back for a while, keeping what is on the screen for term_resume.
void term_suspend(void);
/// The same for a program that draws there. It has the screen that is left at the end: one that makes none of its own would
/// else draw over the shell's lines.
void term_lend(void);
void term_resume(void);

/// Asks the terminal for its size and follows it; the screen is blank afterwards, and the next refresh sends all of it.
void term_resize(void);
int term_columns(void);
int term_rows(void);

/// How many colours; 0 when it has none.
int term_colors(void);
/// Defines colour pair `pair` (from 1) as `foreground` on `background`, 0 to 15 each; -1 is the default one.
void term_define_pair(int pair, int foreground, int background);
/// What a blank cell is blank with, by its colour pair.
void term_set_background(int pair);

/// Puts one character, with the marks that combine with it, at a place. What the character set lacks becomes `?`.
void term_put(int row, int column, const uint32_t *scalars, int count, int width, int attributes, int pair);
void term_move_cursor(int row, int column, int visible);
/// Blanks every cell.
void term_erase(void);
void term_refresh(void);

/// Sends a control sequence that neither draws nor moves the cursor.
void term_send(const char *sequence);

/// An anonymous file in memory, closed when a program is started, or -1.
int term_memory_file(void);

/// From now on the signals that concern the terminal (window size, end, suspend, continue) are written, as they come, one
/// byte each, into a pipe.
/// - Returns: the pipe's reading end, which is the caller's to close, or -1.
int term_watch_signals(void);
void term_unwatch_signals(void);

/// From now on a crash gives the terminal back before it is reported as usual. What was diverted to `diverted`, if that is
/// not negative, is written to `error`, and `error` becomes the standard error stream again.
void term_guard_crash(int error, int diverted);
void term_unguard_crash(void);

/// Stops the process group as the terminal's suspend key does. Returns when it was continued.
void term_stop_process_group(void);
