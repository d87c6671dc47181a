#pragma once

#include <stdint.h>

// A VFS for SQLite on top of the default one that simulates power cuts for the files of one folder. Synced data stays. Each
// other sector of 512 bytes has any of its versions since, so writes are lost, torn and reordered. Not thread-safe.

/// Called before each operation that changes a file of the folder.
typedef void keyturn_power_step(void *context);

/// Makes this the default VFS. It tracks files below `folder` and passes other files through.
/// `lies`: syncs are ignored, as on a disk that lies.
int32_t keyturn_power_follow(const char *folder, int32_t lies, keyturn_power_step *step, void *context);

/// Writes the files to the existing `folder` as a power cut at this moment may leave them.
int32_t keyturn_power_cut(const char *folder, uint64_t seed);

/// Stops tracking the folder.
void keyturn_power_forget(void);
