#define _GNU_SOURCE
#include "CNcurses.h"

#include <curses.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "restore.h"

static SCREEN *screen;
static FILE *input_stream;
static FILE *output_stream;

static const char paste_on[] = "\033[?2004h";
static const char paste_off[] = "\033[?2004l";
/// Button and wheel events (1000) in a format for wide windows (1006).
static const char mouse_on[] = "\033[?1000h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1000l";
static int wants_mouse;
/// Whether the terminal is given back for a while.
static int is_suspended;

void term_use_locale(const char *name) { setlocale(LC_CTYPE, name); }

int term_check(const char *name, int output) {
    int found = 0;
    if (setupterm(name, output, &found) != OK || found != 1) return found == 1 ? TERM_CANNOT_ADDRESS_CURSOR : TERM_UNKNOWN;
    const char *address = tigetstr("cup");
    int usable = address != NULL && address != (const char *)-1;
    del_curterm(cur_term);
    return usable ? TERM_USABLE : TERM_CANNOT_ADDRESS_CURSOR;
}

static void write_all(const char *text) {
    terminal_write(fileno(output_stream), text, strlen(text));
}

static void start_input_modes(void) {
    write_all(paste_on);
    if (wants_mouse) write_all(mouse_on);
}

static void end_input_modes(void) {
    if (wants_mouse) write_all(mouse_off);
    write_all(paste_off);
}

static int put_byte(int byte) {
    char text = (char)byte;
    terminal_write(fileno(output_stream), &text, 1);
    return byte;
}

/// Clears the program's screen and leaves it. Otherwise a multiplexer that is just being resized, such as tmux, may
/// copy its content to the shell's screen.
static void leave(void) {
    end_input_modes();
    if (exit_ca_mode && clear_screen) tputs(clear_screen, lines, put_byte);
    endwin();
    // Without another screen to return to, the shell goes on below the last frame.
    if (!exit_ca_mode) write_all("\r\n");
}

static void close_streams(void) {
    if (input_stream) fclose(input_stream);
    if (output_stream) fclose(output_stream);
    input_stream = output_stream = NULL;
}

static void follow_size(void) {
    struct winsize size;
    if (ioctl(fileno(output_stream), TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0) return;
    resizeterm(size.ws_row, size.ws_col);
}

int term_open(const char *name, int input, int output) {
    struct termios modes;
    if (tcgetattr(output, &modes) != 0) return -1;
    input_stream = fdopen(fcntl(input, F_DUPFD_CLOEXEC, 3), "r");
    output_stream = fdopen(fcntl(output, F_DUPFD_CLOEXEC, 3), "w");
    // Otherwise LINES and COLUMNS in the environment would outlive the first resize.
    use_env(FALSE);
    use_tioctl(TRUE);
    if (output_stream) terminal_use(fileno(output_stream));
    screen = input_stream && output_stream ? newterm(name, output_stream, input_stream) : NULL;
    if (!screen) {
        close_streams();
        return -1;
    }
    set_term(screen);
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    // Input is read elsewhere, so ncurses must not delay output for it.
    typeahead(-1);
    scrollok(stdscr, FALSE);
    leaveok(stdscr, FALSE);
    // Let the terminal scroll lines instead of sending them again.
    idlok(stdscr, TRUE);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    follow_size();
    terminal_remember(&modes);
    refresh();
    start_input_modes();
    return 0;
}

void term_use_mouse(int mouse) {
    if (!screen || mouse == wants_mouse) return;
    wants_mouse = mouse;
    if (!is_suspended) write_all(mouse ? mouse_on : mouse_off);
}

void term_close(void) {
    if (!screen) return;
    // In the background the terminal is another program's, and was left before or can't be left in the usual way.
    if (!is_suspended && !terminal_is_in_background()) leave();
    if (terminal_is_given_up() || terminal_is_in_background()) terminal_restore();
    terminal_forget();
    is_suspended = 0;
    delscreen(screen);
    screen = NULL;
    wants_mouse = 0;
    close_streams();
}

void term_suspend(void) {
    if (!screen || is_suspended) return;
    leave();
    is_suspended = 1;
    terminal_forget();
}

void term_lend(void) {
    if (!screen) return;
    leave();
    if (enter_ca_mode) tputs(enter_ca_mode, 1, put_byte);
    if (exit_ca_mode && clear_screen) tputs(clear_screen, lines, put_byte);
}

void term_resume(void) {
    if (!screen) return;
    is_suspended = 0;
    terminal_remember_again();
    // ncurses does this only after endwin, but SIGSTOP comes without it.
    reset_prog_mode();
    follow_size();
    keypad(stdscr, TRUE);
    clearok(stdscr, TRUE);
    refresh();
    start_input_modes();
}

void term_resize(void) {
    if (!screen) return;
    follow_size();
    erase();
    clearok(stdscr, TRUE);
}

int term_columns(void) { return screen ? getmaxx(stdscr) : 0; }
int term_rows(void) { return screen ? getmaxy(stdscr) : 0; }
int term_colors(void) { return screen && has_colors() ? COLORS : 0; }

void term_define_pair(int pair, int foreground, int background) {
    init_pair((short)pair, (short)foreground, (short)background);
}

void term_set_background(int pair) {
    if (screen) bkgdset(' ' | COLOR_PAIR(pair));
}

static attr_t attributes_of(int attributes) {
    attr_t result = A_NORMAL;
    if (attributes & TERM_ATTRIBUTE_BOLD) result |= A_BOLD;
    if (attributes & TERM_ATTRIBUTE_DIM) result |= A_DIM;
    if (attributes & TERM_ATTRIBUTE_REVERSE) result |= A_REVERSE;
    if (attributes & TERM_ATTRIBUTE_UNDERLINE) result |= A_UNDERLINE;
    return result;
}

static int is_in_character_set(const wchar_t *text) {
    char bytes[MB_LEN_MAX];
    mbstate_t state;
    memset(&state, 0, sizeof state);
    for (; *text; text++)
        if (wcrtomb(bytes, *text, &state) == (size_t)-1) return 0;
    return 1;
}

void term_put(int row, int column, const uint32_t *scalars, int count, int width, int attributes, int pair) {
    if (!screen) return;
    wchar_t text[CCHARW_MAX + 1] = {0};
    for (int i = 0; i < count && i < CCHARW_MAX; i++) text[i] = (wchar_t)scalars[i];
    int known = is_in_character_set(text);
    cchar_t cell;
    setcchar(&cell, known ? text : L"?", attributes_of(attributes), (short)pair, NULL);
    // In the last cell of the screen this returns an error, but sets the cell.
    for (int i = 0; i < (known ? 1 : width); i++) mvadd_wch(row, column + i, &cell);
}

void term_move_cursor(int row, int column, int visible) {
    if (!screen) return;
    curs_set(visible ? 1 : 0);
    move(row, column);
}

void term_refresh(void) {
    if (screen && !is_suspended) refresh();
}

void term_erase(void) {
    if (screen) erase();
}

void term_send(const char *sequence) {
    if (screen && !is_suspended) write_all(sequence);
}

int term_speed(int input) {
    struct termios modes;
    if (tcgetattr(input, &modes) != 0) return -1;
    static const struct {
        speed_t code;
        int baud;
    } slow[] = {{B300, 300}, {B600, 600}, {B1200, 1200}, {B1800, 1800}, {B2400, 2400}, {B4800, 4800}, {B9600, 9600}, {B19200, 19200}};
    speed_t speed = cfgetispeed(&modes) ? cfgetispeed(&modes) : cfgetospeed(&modes);
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        if (slow[i].code == speed) return slow[i].baud;
    return -1;
}

int term_memory_file(void) { return memfd_create("output", MFD_CLOEXEC); }
