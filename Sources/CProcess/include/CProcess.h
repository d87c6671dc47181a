#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Keeps what this process has in memory to itself: no core file is written of it, no other process of the same user may
/// look into it (prctl(2), PR_SET_DUMPABLE), and when it crashes nothing is printed of it. Programs that it starts are not
/// affected. Returns 0, or the error.
int32_t keyturn_process_keep_private(void);

/// The variables of the environment as `NAME=value`, and NULL at their end.
char *const *keyturn_process_environment(void);

/// Whether a group holds this user, or is root's, and no third user: by its list of members, and by the groups that users
/// have from the start. 1 or 0; 0 also when that cannot be found out.
int32_t keyturn_process_group_is_private(uint32_t group, uint32_t user);

/// The type of the file system that a path is on, as statfs(2) gives it; -1 when it does not say.
int64_t keyturn_process_file_system(const char *path);

/// Opens /dev/null for those of standard input, output and error that are closed, the wrong way round: using them
/// fails as before, but no file that is opened later takes their number and gets what was meant for them.
void keyturn_process_occupy_streams(void);

/// Lets all threads share the one heap of the process (mallopt(3), M_ARENA_MAX). The heap that a thread else has of its own
/// grows by a page at a time, each a system call.
void keyturn_process_share_heap(void);

/// From now on these signals, up to 255 each, are written as they come, one byte each, into a pipe, in place of what they
/// did. Once in a process. Returns the pipe's reading end, or -1.
int32_t keyturn_process_watch_signals(const int32_t *numbers, size_t count);

/// Whether a file has an access control list (acl(5)) beside its mode.
bool keyturn_process_has_access_list(const char *path);
