#define _GNU_SOURCE
#include "CRelay.h"
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static int real = -1, master = -1, slave = -1, wake[2] = {-1, -1};
static char path[64];
// `is_idle`: the relay waits for a command and touches neither terminal.
static int holds, is_idle = 1, is_over, is_running;
static atomic_int is_abandoned;
static pid_t program = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

// A stream of the program that isn't a terminal may lead to one. Pieces are of a size that a pipe with room takes without
// blocking (pipe(7)).
typedef struct {
    int in, out, own;
    ssize_t pending, written;
    char bytes[4096];
} stream;
static stream streams[] = {{.in = -1, .out = STDOUT_FILENO, .own = -1}, {.in = -1, .out = STDERR_FILENO, .own = -1}};
enum { stream_count = sizeof streams / sizeof *streams };

static void shut(int *descriptor) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
}

int32_t keyturn_relay_stream(int32_t number) {
    for (int i = 0; i < stream_count; i++) {
        if (streams[i].out == number) return streams[i].own;
    }
    return -1;
}

/// Both streams of `2>&1` stay one, and in order.
static int open_streams(void) {
    struct stat files[stream_count];
    for (int i = 0; i < stream_count; i++) {
        stream *one = &streams[i];
        if (fstat(one->out, &files[i]) != 0) files[i].st_mode = 0;
        if (!S_ISFIFO(files[i].st_mode) && !S_ISSOCK(files[i].st_mode)) continue;
        int ends[2];
        if (i > 0 && files[i].st_dev == files[0].st_dev && files[i].st_ino == files[0].st_ino) {
            one->own = fcntl(streams[0].own, F_DUPFD_CLOEXEC, 0);
        } else if (pipe2(ends, O_CLOEXEC) == 0) {
            one->in = ends[0];
            one->own = ends[1];
            fcntl(one->in, F_SETFL, O_NONBLOCK);
        }
        if (one->own < 0) return 0;
    }
    return 1;
}

static void shut_own(void) {
    for (int i = 0; i < stream_count; i++) shut(&streams[i].own);
}

void keyturn_relay_close(void) {
    int *all[] = {&real, &master, &slave, &wake[0], &wake[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) shut(all[i]);
    for (int i = 0; i < stream_count; i++) shut(&streams[i].in);
    shut_own();
    is_running = 0;
}

static const char *open_all(void) {
    struct termios modes;
    real = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (real < 0 || master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return NULL;
    if (ptsname_r(master, path, sizeof path) != 0 || pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) return NULL;
    // Held open, so that the relay sees no end before the program opens it.
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0 || tcgetattr(real, &modes) != 0 || tcsetattr(slave, TCSANOW, &modes) != 0) return NULL;
    if (!open_streams()) return NULL;
    fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK);
    keyturn_relay_resize();
    // From now on: a program can end before the thread of the relay begins.
    is_running = 1;
    return path;
}

const char *keyturn_relay_open(void) {
    const char *opened = open_all();
    int error = errno;
    if (opened == NULL) keyturn_relay_close();
    errno = error;
    return opened;
}

void keyturn_relay_resize(void) {
    struct winsize size;
    if (master >= 0 && ioctl(real, TIOCGWINSZ, &size) == 0) ioctl(master, TIOCSWINSZ, &size);
}

static void nudge(void) {
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
}

/// Whether what was passed on has left the pipe or the socket: the next program may still show it.
static int is_taken(const stream *one) {
    struct stat file;
    int left = 0;
    if (one->in < 0 || fstat(one->out, &file) != 0) return 1;
    return ioctl(one->out, S_ISSOCK(file.st_mode) ? TIOCOUTQ : FIONREAD, &left) != 0 || left == 0;
}

enum { settling_microseconds = 20000, most_settling = 50 };

static void settle(void) {
    if (streams[0].in < 0 && streams[1].in < 0) return;
    for (int i = 0; i < most_settling && !(is_taken(&streams[0]) && is_taken(&streams[1])); i++) {
        usleep(settling_microseconds);
    }
    usleep(2 * settling_microseconds);
}

void keyturn_relay_hold(int32_t wanted) {
    if (master < 0) return;
    // What the program has drawn is no longer there.
    pid_t group = wanted ? -1 : tcgetpgrp(master);
    if (group > 0) kill(-group, SIGWINCH);
    pthread_mutex_lock(&lock);
    holds = wanted;
    nudge();
    pthread_cond_broadcast(&changed);
    while (wanted && !is_idle) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    if (wanted) settle();
}

int32_t keyturn_relay_is_over(void) {
    pthread_mutex_lock(&lock);
    int over = is_over;
    pthread_mutex_unlock(&lock);
    return over;
}

static void take(stream *one) {
    one->written = 0;
    one->pending = read(one->in, one->bytes, sizeof one->bytes);
    if (one->pending == 0 || (one->pending < 0 && errno != EAGAIN && errno != EINTR)) shut(&one->in);
    if (one->pending < 0) one->pending = 0;
}

/// Without a reader, the program learns it by its next write.
static void pass(stream *one, short events) {
    ssize_t count = events & POLLOUT ? write(one->out, one->bytes + one->written, (size_t)one->pending) : 0;
    if (count > 0) one->written += count, one->pending -= count;
    if ((count < 0 && errno != EAGAIN && errno != EINTR) || (!(events & POLLOUT) && events)) {
        shut(&one->in);
        one->pending = 0;
    }
}

/// Passes on what the program has left, but not what others go on to write.
static void drain(stream *one) {
    int left = 0;
    if (one->in >= 0) ioctl(one->in, FIONREAD, &left);
    while (!atomic_load(&is_abandoned)) {
        if (!one->pending && left > 0 && one->in >= 0) {
            take(one);
            left = one->pending ? left - (int)one->pending : 0;
        }
        if (!one->pending) break;
        struct pollfd room = {.fd = one->out, .events = POLLOUT};
        if (poll(&room, 1, 500) > 0) pass(one, room.revents);
    }
    shut(&one->in);
}

void keyturn_relay_abandon(void) { atomic_store(&is_abandoned, 1); }

static int show(void) {
    char bytes[4096];
    ssize_t count = read(master, bytes, sizeof bytes);
    if (count <= 0) return 0;
    struct termios modes;
    if (tcgetattr(slave, &modes) == 0) keyturn_terminal_relay_output_mode((modes.c_oflag & OPOST) != 0);
    for (ssize_t done = 0, more; done < count; done += more) {
        more = write(real, bytes + done, (size_t)(count - done));
        if (more < 0 && errno == EINTR) more = 0;
        if (more < 0) return 0;
    }
    return 1;
}

/// A group that no shell can continue must not stop.
static int can_stop(void) {
    pid_t parent = getppid();
    return getsid(parent) == getsid(0) && getpgid(parent) != getpgrp();
}

int32_t keyturn_relay_stop(void) {
    if (program < 0 || !can_stop()) return 0;
    kill(-program, SIGSTOP);
    kill(0, SIGTSTP);
    return 1;
}

/// The program leads a session, where the stop key has no effect on it.
static int stops(const char *bytes, ssize_t count) {
    struct termios modes;
    if (count != 1 || tcgetattr(slave, &modes) != 0 || !(modes.c_lflag & ISIG)) return 0;
    if ((cc_t)bytes[0] != modes.c_cc[VSUSP] || tcgetpgrp(master) != program) return 0;
    return keyturn_relay_stop();
}

void keyturn_relay_run(int32_t started) {
    program = started;
    shut_own();
    char keys[1024];
    ssize_t pending = 0, written = 0;
    int is_typed = keyturn_terminal_begin_relaying(real), is_aside = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        is_idle = holds || is_over;
        pthread_cond_broadcast(&changed);
        while (holds) pthread_cond_wait(&changed, &lock);
        is_idle = is_over;
        int ends = is_over;
        pthread_mutex_unlock(&lock);
        if (ends) break;
        // A shell sends no signal to a job that runs in the background when it gets the terminal.
        int was_aside = is_aside;
        is_aside = keyturn_terminal_is_aside(real);
        if (was_aside && !is_aside) keyturn_terminal_resume_typing();
        struct pollfd wanted[3 + 2 * stream_count] = {
            {.fd = wake[0], .events = POLLIN},
            {.fd = master, .events = pending ? POLLIN | POLLOUT : POLLIN},
            {.fd = is_typed && !pending && !is_aside ? real : -1, .events = POLLIN}};
        for (int i = 0; i < stream_count; i++) {
            int in = streams[i].in;
            ssize_t unwritten = streams[i].pending;
            wanted[3 + 2 * i] = (struct pollfd){.fd = unwritten ? -1 : in, .events = POLLIN};
            wanted[4 + 2 * i] = (struct pollfd){.fd = unwritten || in >= 0 ? streams[i].out : -1, .events = unwritten ? POLLOUT : 0};
        }
        if (poll(wanted, sizeof wanted / sizeof *wanted, is_aside ? 500 : -1) < 0) continue;
        if (wanted[0].revents) {
            while (read(wake[0], keys, sizeof keys) > 0) {}
            // A question that has begun gets the keys.
            pending = 0;
            continue;
        }
        if (wanted[1].revents & POLLIN) show();
        for (int i = 0; i < stream_count; i++) {
            if (wanted[3 + 2 * i].revents) take(&streams[i]);
            pass(&streams[i], wanted[4 + 2 * i].revents);
        }
        if (wanted[1].revents & POLLOUT && pending) {
            ssize_t count = write(master, keys + written, (size_t)pending);
            if (count > 0) written += count, pending -= count;
        }
        if (wanted[2].revents & POLLIN) {
            pending = read(real, keys, sizeof keys);
            written = 0;
            if (pending <= 0) is_typed = pending == 0 ? 0 : errno == EINTR;
            if (pending < 0 || stops(keys, pending)) pending = 0;
        } else if (wanted[2].revents) {
            is_typed = 0;
        }
    }
    while (show()) {}
    keyturn_terminal_end_typing();
    for (int i = 0; i < stream_count; i++) drain(&streams[i]);
    shut(&slave);
    pthread_mutex_lock(&lock);
    is_running = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

void keyturn_relay_end(void) {
    pthread_mutex_lock(&lock);
    is_over = 1;
    nudge();
    pthread_cond_broadcast(&changed);
    while (is_running) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
