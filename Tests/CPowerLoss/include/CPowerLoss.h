#pragma once

#include <stdint.h>

// A VFS for SQLite over the usual one that knows what a power cut may leave of the files of one folder. What was synced
// stays. Of what was written since, each sector of 512 bytes holds any of its versions: so writes are lost, torn and
// reordered. For one thread at a time.

/// Called before each operation that changes a file of the folder.
typedef void keyturn_power_step(void *context);

/// Makes the VFS the default one. From here on, files below `folder` are followed; others are passed on as they are.
/// `lies`: syncs are ignored, as by a disk that lies.
int32_t keyturn_power_follow(const char *folder, int32_t lies, keyturn_power_step *step, void *context);

/// Writes to `folder`, which exists, the files as a power cut at this moment may leave them.
int32_t keyturn_power_cut(const char *folder, uint64_t seed);

/// Follows no folder any more.
void keyturn_power_forget(void);
