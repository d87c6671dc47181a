#define _GNU_SOURCE
#include "CRelay.h"
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int real = -1, master = -1, slave = -1, wake[2] = {-1, -1};
static char path[64];
// `is_idle`: the relay waits for a command and touches neither terminal.
static int holds, is_idle = 1, is_over, is_running;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

const char *keyturn_relay_open(void) {
    struct termios modes;
    real = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (real < 0 || master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) return NULL;
    if (ptsname_r(master, path, sizeof path) != 0 || pipe2(wake, O_CLOEXEC | O_NONBLOCK) != 0) return NULL;
    // Held open, so that the relay sees no end before the program opens it.
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0 || tcgetattr(real, &modes) != 0 || tcsetattr(slave, TCSANOW, &modes) != 0) return NULL;
    fcntl(master, F_SETFL, O_RDWR | O_NONBLOCK);
    keyturn_relay_resize();
    // From now on: a program can end before the thread of the relay begins.
    is_running = 1;
    return path;
}

void keyturn_relay_resize(void) {
    struct winsize size;
    if (master >= 0 && ioctl(real, TIOCGWINSZ, &size) == 0) ioctl(master, TIOCSWINSZ, &size);
}

static void nudge(void) {
    ssize_t ignored = write(wake[1], "", 1);
    (void)ignored;
}

void keyturn_relay_hold(int32_t wanted) {
    if (master < 0) return;
    pthread_mutex_lock(&lock);
    holds = wanted;
    nudge();
    pthread_cond_broadcast(&changed);
    while (wanted && !is_idle) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

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

/// The program leads a session, where the stop key has no effect on it.
static int stops(const char *bytes, ssize_t count, pid_t program) {
    struct termios modes;
    if (count != 1 || tcgetattr(slave, &modes) != 0 || !(modes.c_lflag & ISIG)) return 0;
    if ((cc_t)bytes[0] != modes.c_cc[VSUSP] || tcgetpgrp(master) != program || !can_stop()) return 0;
    kill(-program, SIGSTOP);
    kill(0, SIGTSTP);
    return 1;
}

void keyturn_relay_run(int32_t program) {
    char keys[1024];
    ssize_t pending = 0, written = 0;
    int is_typed = keyturn_terminal_begin_relaying(real);
    for (;;) {
        pthread_mutex_lock(&lock);
        is_idle = holds || is_over;
        pthread_cond_broadcast(&changed);
        while (holds && !is_over) pthread_cond_wait(&changed, &lock);
        is_idle = is_over;
        int ends = is_over;
        pthread_mutex_unlock(&lock);
        if (ends) break;
        int is_aside = keyturn_terminal_is_aside(real);
        struct pollfd wanted[3] = {
            {.fd = wake[0], .events = POLLIN},
            {.fd = master, .events = pending ? POLLIN | POLLOUT : POLLIN},
            {.fd = is_typed && !pending && !is_aside ? real : -1, .events = POLLIN}};
        if (poll(wanted, 3, is_aside ? 500 : -1) < 0) continue;
        if (wanted[0].revents) {
            while (read(wake[0], keys, sizeof keys) > 0) {}
            // A question that has begun gets the keys.
            pending = 0;
            continue;
        }
        if (wanted[1].revents & POLLIN) show();
        if (wanted[1].revents & POLLOUT && pending) {
            ssize_t count = write(master, keys + written, (size_t)pending);
            if (count > 0) written += count, pending -= count;
        }
        if (wanted[2].revents & POLLIN) {
            pending = read(real, keys, sizeof keys);
            written = 0;
            if (pending <= 0) is_typed = pending == 0 ? 0 : errno == EINTR;
            if (pending < 0 || stops(keys, pending, program)) pending = 0;
        } else if (wanted[2].revents) {
            is_typed = 0;
        }
    }
    while (show()) {}
    keyturn_terminal_end_typing();
    close(slave);
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
