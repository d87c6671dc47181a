#define _GNU_SOURCE
#include "restore.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <term.h>
#include <time.h>
#include <unistd.h>

#include "CNcurses.h"

/// The descriptor that ncurses writes to, a descriptor of the same terminal for this file only, and one of /dev/null.
static int drawn = -1, terminal = -1, nowhere = -1;
static struct termios original_modes;
static char leave_screen[256];
static size_t leave_length;
static atomic_int is_remembered, is_given_up;
static int is_registered;
/// The thread that may be writing to the terminal, and since when, in milliseconds; 0 for none.
static atomic_int writer;
static atomic_long writing_since;

/// How long the way out waits for a terminal that takes no output, in milliseconds.
enum { patience = 300 };

static long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void terminal_write(int descriptor, const char *text, size_t length) {
    while (length > 0) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;
        text += written;
        length -= (size_t)written;
    }
}

int terminal_write_if_taken(int descriptor, const char *text, size_t length) {
    // A descriptor that waits takes a byte at a time, because there may be room for no more.
    size_t most = fcntl(descriptor, F_GETFL) & O_NONBLOCK ? length : 1;
    while (length > 0) {
        struct pollfd room = {.fd = descriptor, .events = POLLOUT};
        int ready = poll(&room, 1, patience);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0 || !(room.revents & POLLOUT)) return 0;
        ssize_t written = write(descriptor, text, length < most ? length : most);
        if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (written <= 0) return 0;
        text += written;
        length -= (size_t)written;
    }
    return 1;
}

/// A descriptor that never waits. Not a copy: copies share the flag with other processes.
static int open_without_waiting(int output) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", output);
    int opened = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    return opened >= 0 ? opened : fcntl(output, F_DUPFD_CLOEXEC, 3);
}

int terminal_is_in_background(void) {
    pid_t foreground = terminal >= 0 ? tcgetpgrp(terminal) : -1;
    return foreground >= 0 && foreground != getpgrp();
}

int term_is_in_background(int output) {
    struct sigaction stop;
    if (sigaction(SIGTTOU, NULL, &stop) == 0 && stop.sa_handler == SIG_IGN) return 0;
    pid_t foreground = tcgetpgrp(output);
    return foreground >= 0 && foreground != getpgrp();
}

int terminal_is_given_up(void) { return atomic_load(&is_given_up); }
int term_is_given_up(void) { return terminal_is_given_up(); }

void term_begin_writing(void) {
    atomic_store(&writer, (int)syscall(SYS_gettid));
    atomic_store(&writing_since, milliseconds());
}

void term_end_writing(void) { atomic_store(&writing_since, 0); }

int term_is_stuck(int limit) {
    long since = atomic_load(&writing_since);
    return since != 0 && milliseconds() - since >= limit;
}

void term_give_up(void) {
    atomic_store(&is_given_up, 1);
    if (nowhere >= 0 && drawn >= 0) dup2(nowhere, drawn);
    // The write that waits starts again, with the other file. Any signal with a handler does that.
    if (atomic_load(&writing_since) != 0) syscall(SYS_tgkill, getpid(), atomic_load(&writer), SIGWINCH);
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

void terminal_use(int output) {
    drawn = output;
    if (terminal >= 0) close(terminal);
    terminal = open_without_waiting(output);
    if (nowhere < 0) nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    atomic_store(&is_given_up, 0);
}

void terminal_remember(const struct termios *modes) {
    static char *const capabilities[] = {"rmkx", "sgr0", "op", "cnorm", "clear", "rmcup"};
    // Without an alternate screen, the program's output stays visible.
    size_t used = sizeof capabilities / sizeof *capabilities - (exit_ca_mode ? 0 : 2);
    original_modes = *modes;
    leave_length = 0;
    append("\033[?1006l\033[?1000l\033[?2004l");
    for (size_t i = 0; i < used; i++) append(tigetstr(capabilities[i]));
    // For a program that exits without closing its screen.
    if (!is_registered) is_registered = atexit(terminal_restore) == 0;
    atomic_store(&is_remembered, 1);
}

void terminal_forget(void) { atomic_store(&is_remembered, 0); }
void terminal_remember_again(void) { atomic_store(&is_remembered, 1); }

void terminal_restore(void) {
    if (!atomic_exchange(&is_remembered, 0)) return;
    // Discard what another thread may still draw, which would appear on the shell's screen.
    if (nowhere >= 0) dup2(nowhere, drawn);
    sigset_t stops, previous;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTOU);
    sigprocmask(SIG_BLOCK, &stops, &previous);
    terminal_write_if_taken(terminal, leave_screen, leave_length);
    // In the background the modes are those of another program.
    if (!terminal_is_in_background()) tcsetattr(terminal, TCSANOW, &original_modes);
    sigprocmask(SIG_SETMASK, &previous, NULL);
}
