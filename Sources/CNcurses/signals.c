#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "CNcurses.h"
#include "restore.h"

static const int watched[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGALRM, SIGTSTP, SIGCONT};
static const int crashes[] = {SIGSEGV, SIGABRT, SIGTRAP, SIGILL, SIGBUS, SIGFPE, SIGQUIT};
enum { watched_count = sizeof watched / sizeof *watched, crash_count = sizeof crashes / sizeof *crashes };

static struct sigaction before_watching[watched_count];
static struct sigaction before_guarding[crash_count];
static int pipe_ends[2] = {-1, -1};
static int real_error = -1;
static int diverted_output = -1;

static void note_signal(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // If the pipe is full, the reader will wake anyway.
    ssize_t ignored = write(pipe_ends[1], &byte, 1);
    (void)ignored;
    errno = saved;
}

int term_watch_signals(void) {
    if (pipe_ends[1] >= 0) close(pipe_ends[1]);
    if (pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < watched_count; i++) sigaction(watched[i], &action, &before_watching[i]);
    return pipe_ends[0];
}

void term_unwatch_signals(void) {
    if (pipe_ends[0] < 0) return;
    for (int i = 0; i < watched_count; i++) sigaction(watched[i], &before_watching[i], NULL);
    // Keep the writing end, because a handler may be running on another thread. The reader closes the other end.
    pipe_ends[0] = -1;
}

/// Copies untrusted text without terminal controls: C0 except line feed, DEL, C1, also in UTF-8. No more than a user reads, and
/// nothing after what isn't taken.
static void replay_safely(int from, int to) {
    enum { most = 65536 };
    unsigned char text[4096], before = '\n';
    ssize_t length;
    size_t total = 0;
    if (lseek(from, 0, SEEK_SET) < 0) return;
    while (total < most && (length = read(from, text, sizeof text)) > 0) {
        for (ssize_t i = 0; i < length; i++) {
            unsigned char byte = text[i];
            int is_control = (byte < 0x20 && byte != '\n') || byte == 0x7F || (byte >= 0x80 && byte < 0xA0 && before == 0xC2);
            if (is_control) text[i] = byte < 0x80 ? ' ' : 0xA0;
            before = byte;
        }
        total += (size_t)length;
        if (!terminal_write_if_taken(to, (const char *)text, (size_t)length)) return;
    }
    if (total > 0 && before != '\n') terminal_write_if_taken(to, "\n", 1);
}

void term_give_back(void) {
    terminal_restore();
    if (real_error >= 0 && diverted_output >= 0) {
        replay_safely(diverted_output, real_error);
        dup2(real_error, STDERR_FILENO);
    }
}

static void give_back_and_crash(int number) {
    term_give_back();
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &before_guarding[i], NULL);
    raise(number);
}

void term_guard_crash(int error, int diverted) {
    real_error = error;
    diverted_output = diverted;
    struct sigaction action = {.sa_handler = give_back_and_crash, .sa_flags = SA_ONSTACK};
    sigfillset(&action.sa_mask);
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &action, &before_guarding[i]);
}

void term_unguard_crash(void) {
    for (int i = 0; i < crash_count; i++) sigaction(crashes[i], &before_guarding[i], NULL);
    real_error = diverted_output = -1;
}

void term_stop_process_group(int number) {
    struct sigaction ordinary = {.sa_handler = SIG_DFL}, ours;
    sigset_t stop, previous;
    sigemptyset(&stop);
    sigaddset(&stop, number);
    // Blocks this thread's signal until the whole group has its own, so that it stops before continuing. Being
    // continued clears the remaining one, so it stops once. In an orphaned group the kernel ignores both.
    pthread_sigmask(SIG_BLOCK, &stop, &previous);
    sigaction(number, &ordinary, &ours);
    pthread_kill(pthread_self(), number);
    kill(0, number);
    pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
    pthread_sigmask(SIG_SETMASK, &previous, NULL);
    sigaction(number, &ours, NULL);
}
