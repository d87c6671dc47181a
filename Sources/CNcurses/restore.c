#define _GNU_SOURCE
#include "restore.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

/// The descriptor that ncurses writes to, a descriptor of the same terminal for this file only, and one of /dev/null.
static int drawn = -1, terminal = -1, nowhere = -1;
static struct termios original_modes;
static char leave_screen[256];
static size_t leave_length;
static atomic_int is_remembered;
static int is_registered;

void terminal_write(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

/// Adds a terminfo string without its padding, `$<…>`.
static void append(const char *text) {
    if (text == NULL || text == (const char *)-1) return;
    while (*text && leave_length < sizeof leave_screen) {
        if (text[0] == '$' && text[1] == '<') {
            const char *end = strchr(text, '>');
            if (end) {
                text = end + 1;
                continue;
            }
        }
        leave_screen[leave_length++] = *text++;
    }
}

void terminal_remember(int output, const struct termios *modes) {
    static char *const capabilities[] = {"rmkx", "sgr0", "op", "cnorm", "clear", "rmcup"};
    // Without an alternate screen, the program's output stays visible.
    size_t used = sizeof capabilities / sizeof *capabilities - (exit_ca_mode ? 0 : 2);
    drawn = output;
    if (terminal >= 0) close(terminal);
    terminal = fcntl(output, F_DUPFD_CLOEXEC, 3);
    if (nowhere < 0) nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    original_modes = *modes;
    leave_length = 0;
    append("\033[?1006l\033[?1000l\033[?2004l");
    for (size_t i = 0; i < used; i++) append(tigetstr(capabilities[i]));
    // For a program that exits without closing its screen.
    if (!is_registered) is_registered = atexit(terminal_restore) == 0;
    atomic_store(&is_remembered, 1);
}

void terminal_forget(void) { atomic_store(&is_remembered, 0); }

void terminal_restore(void) {
    if (!atomic_exchange(&is_remembered, 0)) return;
    // Discard what another thread may still draw, which would appear on the shell's screen.
    if (nowhere >= 0) dup2(nowhere, drawn);
    terminal_write(terminal, leave_screen, leave_length);
    tcsetattr(terminal, TCSANOW, &original_modes);
}
