#define _GNU_SOURCE
#include "CProcess.h"

#include <sys/xattr.h>
#include <errno.h>
#include <linux/close_range.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <unistd.h>

static void name_limit(int number) {
    static const char text[] = "keyturn: Crashed, probably for want of memory. Raise the limit of memory (ulimit -v).\n";
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    raise(number);
}

static bool has_limit(int kind) {
    struct rlimit limit;
    return getrlimit(kind, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

// After a crash on a terminal, Swift's backtracer would print registers and memory. PR_SET_DUMPABLE doesn't prevent that,
// because the crashed process itself gives the backtracer access. A limit of memory is named, because the Swift runtime crashes
// without a word when it gets none.
static void crash_in_private(void) {
    static const int crashes[] = {SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    bool is_limited = has_limit(RLIMIT_AS) || has_limit(RLIMIT_DATA);
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++) {
        struct sigaction action;
        if (sigaction(crashes[i], NULL, &action) != 0 || action.sa_handler == SIG_IGN) continue;
        // The user ends a process by SIGQUIT.
        bool names_limit = is_limited && crashes[i] != SIGQUIT;
        action = (struct sigaction){.sa_handler = names_limit ? name_limit : SIG_DFL, .sa_flags = SA_RESETHAND};
        sigaction(crashes[i], &action, NULL);
    }
}

static struct rlimit core_limit;
static bool ignores[64];

int32_t keyturn_process_keep_private(void) {
    crash_in_private();
    // The hard limit stays, for programs that run in this one's place.
    if (getrlimit(RLIMIT_CORE, &core_limit) != 0) return errno;
    struct rlimit none = {0, core_limit.rlim_max};
    if (setrlimit(RLIMIT_CORE, &none) != 0) return errno;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 ? 0 : errno;
}

int32_t keyturn_process_allocate(int32_t file, int64_t size) {
    int error;
    do error = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size) == 0 ? 0 : errno;
    while (error == EINTR);
    // Writes zeros beyond the end if the file system can't.
    while (error == EOPNOTSUPP || error == EINTR) {
        error = posix_fallocate(file, 0, size);
        if (error == EOPNOTSUPP) return 0;
    }
    return error == ENODEV || error == EINVAL || error == ENOSYS ? 0 : error;
}

void keyturn_process_ignore(int32_t number) {
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler == SIG_IGN) return;
    ignores[number] = signal(number, SIG_IGN) != SIG_ERR;
}

void keyturn_process_restore_limits(void) { setrlimit(RLIMIT_CORE, &core_limit); }

int32_t keyturn_process_become(char *const command[], char *const environment[]) {
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < 64; number++) {
        if (ignores[number]) signal(number, SIG_DFL);
    }
    keyturn_process_restore_limits();
    close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(command[0], command, environment);
    return errno;
}

static char *const *arguments;

// The C library passes them to constructors as to main (gABI, "Initialization and Termination Functions").
__attribute__((constructor)) static void remember_arguments(int count, char *const *list) {
    (void)count;
    arguments = list;
}

char *const *keyturn_process_arguments(void) { return arguments; }

char *const *keyturn_process_environment(void) { return environ; }

// The iteration over users and groups has global state.
static pthread_mutex_t lists = PTHREAD_MUTEX_INITIALIZER;

typedef struct {
    int holds_user, holds_third;
} membership;

static void count(membership *found, uid_t member, uid_t user) {
    if (member == user) found->holds_user = 1;
    if (member != user && member != 0) found->holds_third = 1;
}

static int32_t read_lists(gid_t group, uid_t user) {
    membership found = {group == 0 || (user == geteuid() && group == getegid()), 0};
    struct passwd *entry;
    setpwent();
    while ((entry = getpwent()) != NULL) {
        if (entry->pw_gid == group) count(&found, entry->pw_uid, user);
    }
    endpwent();
    errno = 0;
    struct group *listed = getgrgid(group);
    if (listed == NULL && errno != 0 && errno != ENOENT) return 0;
    for (char **name = listed ? listed->gr_mem : NULL; name != NULL && *name != NULL; name++) {
        struct passwd *member = getpwnam(*name);
        if (member == NULL) return 0;
        count(&found, member->pw_uid, user);
    }
    return found.holds_user && !found.holds_third;
}

int64_t keyturn_process_file_system(const char *path) {
    struct statfs system;
    return statfs(path, &system) == 0 ? (int64_t)system.f_type : -1;
}

int32_t keyturn_process_group_is_private(uint32_t group, uint32_t user) {
    pthread_mutex_lock(&lists);
    int32_t is_private = read_lists(group, user);
    pthread_mutex_unlock(&lists);
    return is_private;
}

void keyturn_process_occupy_streams(void) {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream += 1) {
        if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
        // open(2) uses the lowest free number, which is this stream's.
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

void keyturn_process_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

static int noting_end = -1;

static void note(int number) {
    int saved = errno;
    unsigned char byte = (unsigned char)number;
    // If the pipe is full, the reader will wake anyway.
    ssize_t ignored = write(noting_end, &byte, 1);
    (void)ignored;
    errno = saved;
}

int32_t keyturn_process_watch_signals(const int32_t *numbers, size_t count) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    noting_end = ends[1];
    keyturn_process_watch_more_signals(numbers, count);
    return ends[0];
}

void keyturn_process_watch_more_signals(const int32_t *numbers, size_t count) {
    if (noting_end < 0) return;
    struct sigaction action = {.sa_handler = note, .sa_flags = SA_RESTART};
    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < count; i++) {
        struct sigaction inherited;
        // nohup, and sh for a background command, let the process ignore signals.
        if (sigaction(numbers[i], NULL, &inherited) == 0 && inherited.sa_handler == SIG_IGN) continue;
        sigaction(numbers[i], &action, NULL);
    }
}

void keyturn_process_unwatch_signals(const int32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct sigaction action;
        if (sigaction(numbers[i], NULL, &action) == 0 && action.sa_handler == note) signal(numbers[i], SIG_DFL);
    }
}

bool keyturn_process_has_access_list(const char *path) {
    return lgetxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}
