#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Keeps this process's memory private: no core file, no access by other processes of the user (prctl(2),
/// PR_SET_DUMPABLE), and at most one line in a crash. Doesn't affect child processes. Returns 0 or the error.
int32_t keyturn_process_keep_private(void);

/// Ignores a signal in this process alone: keyturn_process_become gives it its usual action again.
void keyturn_process_ignore(int32_t number);

/// Gives the process the limits with which it was started, for programs that it starts.
void keyturn_process_restore_limits(void);

/// Runs another program in this process, found in PATH, with the signals, limits and files of the start. Returns the error,
/// only if it can't.
int32_t keyturn_process_become(char *const command[], char *const environment[]);

/// The environment variables as `NAME=value`, ended by NULL.
char *const *keyturn_process_environment(void);

/// The arguments of the process, ended by NULL. They don't need /proc, from which Swift reads its own.
char *const *keyturn_process_arguments(void);

/// Returns 1 if a group contains only this user and root, by its members and by users' primary groups, else 0. Also 0
/// when that is unknown.
int32_t keyturn_process_group_is_private(uint32_t group, uint32_t user);

/// Returns the type of a path's file system from statfs(2), or -1.
int64_t keyturn_process_file_system(const char *path);

/// Opens /dev/null for closed standard streams in the wrong direction. Using them fails as before, but no other file
/// can get their numbers and so their data.
void keyturn_process_occupy_streams(void);

/// Makes all threads share one heap (mallopt(3), M_ARENA_MAX). Separate heaps grow by one page per system call.
void keyturn_process_share_heap(void);

/// Writes these signals, up to 255, to a pipe, one byte each, instead of their usual action. Those that the process was
/// started to ignore stay ignored. Call this once per process. Returns the reading end of the pipe, or -1.
int32_t keyturn_process_watch_signals(const int32_t *numbers, size_t count);

/// Writes further signals to the pipe of ``keyturn_process_watch_signals``, if there is one.
void keyturn_process_watch_more_signals(const int32_t *numbers, size_t count);

/// Gives these signals their usual action again.
void keyturn_process_unwatch_signals(const int32_t *numbers, size_t count);

/// Allocates space for the first `size` bytes of a file without a change of its content, and of its length where the file
/// system can (fallocate(2)). Returns 0, also if the file system can't allocate space in advance, or the error.
int32_t keyturn_process_allocate(int32_t file, int64_t size);

/// Whether a file has an access control list (acl(5)) besides its mode.
bool keyturn_process_has_access_list(const char *path);

typedef struct {
    const char *name, *file;
    /// Empty if unknown.
    char version[32];
    bool is_installed;
} keyturn_process_library_facts;

/// Gets a library that the program links or loads, with its version on this system. Returns false after the last one.
bool keyturn_process_library(size_t index, keyturn_process_library_facts *);

/// The commit and the toolchain of the build, one per line, or NULL if `make release` didn't link it.
const char *keyturn_process_build(void);
