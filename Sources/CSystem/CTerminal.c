#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

static int typing = -1, echo = -1;
static struct termios original, changed;
static atomic_int is_taken, is_over;
static atomic_uint interruptions, resumptions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// They end the process at once, or stop it. The others are watched (keyturn_process_watch_signals).
static const int guarded[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGTSTP};
enum { guarded_count = sizeof guarded / sizeof *guarded };

int32_t keyturn_terminal_is_aside(int32_t terminal) {
    pid_t foreground = tcgetpgrp(terminal);
    return foreground >= 0 && foreground != getpgrp();
}

// TCSADRAIN would wait for a terminal that takes no output.
static void set(const struct termios *modes) {
    if (typing >= 0 && !keyturn_terminal_is_aside(typing)) tcsetattr(typing, TCSANOW, modes);
}

/// With all signals blocked, because a handler takes the lock too.
static void lock_modes(sigset_t *previous) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, previous);
    pthread_mutex_lock(&lock);
}

static void unlock_modes(const sigset_t *previous) {
    pthread_mutex_unlock(&lock);
    pthread_sigmask(SIG_SETMASK, previous, NULL);
}

// Locked, because SIGCONT comes together with the signal that ends the process: the last to set the modes must be the end.
static void retake(void) {
    sigset_t previous;
    lock_modes(&previous);
    if (atomic_load(&is_taken)) set(&changed);
    unlock_modes(&previous);
}

void keyturn_terminal_resume_typing(void) {
    retake();
    atomic_fetch_add(&resumptions, 1);
}

uint32_t keyturn_terminal_resumptions(void) { return atomic_load(&resumptions); }

void keyturn_terminal_end_typing(void) {
    sigset_t previous;
    lock_modes(&previous);
    if (atomic_exchange(&is_taken, 0)) set(&original);
    unlock_modes(&previous);
}

void keyturn_terminal_end_typing_for_good(void) {
    atomic_store(&is_over, 1);
    keyturn_terminal_end_typing();
}

void keyturn_terminal_interrupt_typing(void) {
    if (!atomic_load(&is_taken)) return;
    atomic_fetch_add(&interruptions, 1);
    struct pollfd room = {.fd = echo, .events = POLLOUT};
    if (poll(&room, 1, 0) != 1 || !(room.revents & POLLOUT)) return;
    ssize_t ignored = write(echo, "^C", 2);
    (void)ignored;
}

uint32_t keyturn_terminal_interruptions(void) { return atomic_load(&interruptions); }

static void step_aside(int number) {
    int saved = errno, was_taken = atomic_load(&is_taken);
    if (was_taken) set(&original);
    struct sigaction usual = {.sa_handler = SIG_DFL}, own;
    sigaction(number, &usual, &own);
    sigset_t only, previous;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, &previous);
    raise(number);
    // Here again after a stop only.
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    sigaction(number, &own, NULL);
    if (was_taken) retake();
    errno = saved;
}

static void guard_all(void) {
    static int is_guarding;
    if (is_guarding) return;
    is_guarding = 1;
    struct sigaction action = {.sa_handler = step_aside, .sa_flags = SA_RESTART | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < guarded_count; i++) {
        struct sigaction inherited;
        if (sigaction(guarded[i], NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
        sigaction(guarded[i], &action, NULL);
    }
}

int32_t keyturn_terminal_begin_relaying(int32_t terminal) {
    sigset_t previous;
    lock_modes(&previous);
    int is_known = typing >= 0 || tcgetattr(terminal, &original) == 0;
    if (is_known) {
        typing = terminal;
        changed = original;
        cfmakeraw(&changed);
        changed.c_oflag = original.c_oflag;
        guard_all();
        atomic_store(&is_taken, 1);
        set(&changed);
    }
    unlock_modes(&previous);
    return is_known;
}

void keyturn_terminal_relay_output_mode(int32_t processes) {
    sigset_t previous;
    lock_modes(&previous);
    tcflag_t wanted = processes ? original.c_oflag : original.c_oflag & ~(tcflag_t)OPOST;
    if (atomic_load(&is_taken) && changed.c_oflag != wanted) {
        changed.c_oflag = wanted;
        set(&changed);
    }
    unlock_modes(&previous);
}

/// Standard input can be open for reading only.
static int open_echo(int terminal) {
    char path[64];
    if (ttyname_r(terminal, path, sizeof path) != 0) return -1;
    return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

static keyturn_terminal_keys keys_of(const struct termios *modes) {
    return (keyturn_terminal_keys){
        .erase = modes->c_cc[VERASE], .erase_word = modes->c_cc[VWERASE], .kill = modes->c_cc[VKILL],
        .end = modes->c_cc[VEOF]};
}

int32_t keyturn_terminal_find_keys(int32_t terminal, keyturn_terminal_keys *keys) {
    struct termios modes;
    if (tcgetattr(terminal, &modes) != 0 || modes.c_lflag & ICANON) return 0;
    *keys = keys_of(&modes);
    return 1;
}

int32_t keyturn_terminal_signal_of(int32_t terminal, uint8_t key) {
    struct termios modes;
    if (key == 0 || tcgetattr(terminal, &modes) != 0 || modes.c_lflag & ISIG) return 0;
    if (key == modes.c_cc[VSUSP]) return SIGTSTP;
    return key == modes.c_cc[VINTR] ? SIGINT : key == modes.c_cc[VQUIT] ? SIGQUIT : 0;
}

int32_t keyturn_terminal_begin_typing(int32_t terminal, keyturn_terminal_keys *keys) {
    sigset_t previous;
    lock_modes(&previous);
    if (typing < 0 && tcgetattr(terminal, &original) == 0) {
        changed = original;
        // Signals and the conversion of the Return key stay the terminal's.
        changed.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        changed.c_cc[VMIN] = 1;
        changed.c_cc[VTIME] = 0;
        typing = terminal;
        echo = open_echo(terminal);
    }
    int descriptor = typing >= 0 && terminal == typing && !atomic_load(&is_over) ? echo : -1;
    if (descriptor >= 0) {
        guard_all();
        *keys = keys_of(&original);
        atomic_store(&is_taken, 1);
        set(&changed);
    }
    unlock_modes(&previous);
    return descriptor;
}
