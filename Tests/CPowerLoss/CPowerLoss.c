#define _GNU_SOURCE
#include "CPowerLoss.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SECTOR = 512, MOST_FILES = 16 };

/// A change that was not synced: a write, or a truncation where `bytes` is NULL.
typedef struct {
    size_t offset, length;
    uint8_t *bytes;
} change;

typedef struct {
    char name[512];
    int is_there;
    uint8_t *synced;
    size_t size;
    change *changes;
    size_t count;
} followed;

static followed files[MOST_FILES];
static char folder[512];
static int is_lying;
static keyturn_power_step *on_step;
static void *step_context;
static sqlite3_vfs vfs;
static sqlite3_vfs *usual;

typedef struct {
    sqlite3_file base;
    followed *followed;
    sqlite3_file *real;
} file;

// Tracked files

static followed *find(const char *path) {
    size_t length = strlen(folder);
    if (path == NULL || length == 0 || strncmp(path, folder, length) != 0) return NULL;
    followed *empty = NULL;
    for (int i = 0; i < MOST_FILES; i++) {
        if (strcmp(files[i].name, path + length) == 0) return &files[i];
        if (empty == NULL && files[i].name[0] == 0) empty = &files[i];
    }
    if (empty != NULL) snprintf(empty->name, sizeof empty->name, "%s", path + length);
    return empty;
}

static void step(void) {
    if (on_step != NULL) on_step(step_context);
}

static void add(followed *followed, size_t offset, size_t length, const void *bytes) {
    followed->changes = realloc(followed->changes, (followed->count + 1) * sizeof(change));
    change *added = &followed->changes[followed->count++];
    *added = (change){.offset = offset, .length = length};
    if (bytes == NULL) return;
    added->bytes = malloc(length);
    memcpy(added->bytes, bytes, length);
}

static size_t size_after(size_t size, const change *change) {
    size_t end = change->offset + change->length;
    return change->bytes == NULL ? change->offset : end > size ? end : size;
}

/// Applies the part of the change in `[start, start + length)` of the file to `bytes`, its content.
static void apply(const change *change, uint8_t *bytes, size_t start, size_t length) {
    if (change->bytes == NULL) {
        size_t from = change->offset > start ? change->offset - start : 0;
        if (from < length) memset(bytes + from, 0, length - from);
        return;
    }
    size_t first = change->offset > start ? change->offset : start;
    size_t end = change->offset + change->length;
    if (end > start + length) end = start + length;
    if (first < end) memcpy(bytes + (first - start), change->bytes + (first - change->offset), end - first);
}

static void forget_changes(followed *followed) {
    for (size_t i = 0; i < followed->count; i++) free(followed->changes[i].bytes);
    free(followed->changes);
    followed->changes = NULL;
    followed->count = 0;
}

static size_t largest(const followed *followed) {
    size_t size = followed->size, most = size;
    for (size_t i = 0; i < followed->count; i++) {
        size = size_after(size, &followed->changes[i]);
        if (size > most) most = size;
    }
    return most;
}

static void settle(followed *followed) {
    size_t most = largest(followed), size = followed->size;
    uint8_t *bytes = calloc(1, most + 1);
    if (size > 0) memcpy(bytes, followed->synced, size);
    for (size_t i = 0; i < followed->count; i++) {
        apply(&followed->changes[i], bytes, 0, most);
        size = size_after(size, &followed->changes[i]);
    }
    free(followed->synced);
    followed->synced = bytes;
    followed->size = size;
    forget_changes(followed);
}

// State after a power cut

static uint64_t next(uint64_t *state) {
    // splitmix64
    uint64_t value = *state += 0x9E3779B97F4A7C15;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

/// The number of changes that survive: often none or all, otherwise any number.
static size_t some(size_t count, uint64_t *state) {
    switch (next(state) % 4) {
    case 0: return 0;
    case 1: return count;
    default: return next(state) % (count + 1);
    }
}

static int32_t leave(const followed *followed, const char *path, uint64_t *state) {
    size_t most = largest(followed), size = followed->size;
    uint8_t *bytes = calloc(1, most + SECTOR);
    if (size > 0) memcpy(bytes, followed->synced, size);
    for (size_t start = 0; start < most; start += SECTOR) {
        size_t count = some(followed->count, state);
        for (size_t i = 0; i < count; i++) apply(&followed->changes[i], bytes + start, start, SECTOR);
    }
    size_t count = some(followed->count, state);
    for (size_t i = 0; i < count; i++) size = size_after(size, &followed->changes[i]);
    FILE *out = fopen(path, "wb");
    int32_t is_done = out != NULL && fchmod(fileno(out), 0600) == 0 && fwrite(bytes, 1, size, out) == size;
    if (out != NULL) is_done = fclose(out) == 0 && is_done;
    free(bytes);
    return is_done;
}

int32_t keyturn_power_cut(const char *to, uint64_t seed) {
    for (int i = 0; i < MOST_FILES; i++) {
        if (files[i].name[0] == 0 || !files[i].is_there) continue;
        char path[1100];
        snprintf(path, sizeof path, "%s%s", to, files[i].name);
        if (!leave(&files[i], path, &seed)) return 0;
    }
    return 1;
}

// Files

static sqlite3_file *real_of(sqlite3_file *open) { return ((file *)open)->real; }

static int close_file(sqlite3_file *open) {
    int code = real_of(open)->pMethods->xClose(real_of(open));
    sqlite3_free(real_of(open));
    return code;
}

static int read_file(sqlite3_file *open, void *bytes, int count, sqlite3_int64 offset) {
    return real_of(open)->pMethods->xRead(real_of(open), bytes, count, offset);
}

static int write_file(sqlite3_file *open, const void *bytes, int count, sqlite3_int64 offset) {
    step();
    int code = real_of(open)->pMethods->xWrite(real_of(open), bytes, count, offset);
    if (code == SQLITE_OK) add(((file *)open)->followed, (size_t)offset, (size_t)count, bytes);
    return code;
}

static int truncate_file(sqlite3_file *open, sqlite3_int64 size) {
    step();
    int code = real_of(open)->pMethods->xTruncate(real_of(open), size);
    if (code == SQLITE_OK) add(((file *)open)->followed, (size_t)size, 0, NULL);
    return code;
}

static int sync_file(sqlite3_file *open, int flags) {
    (void)flags;
    step();
    if (!is_lying) settle(((file *)open)->followed);
    return SQLITE_OK;
}

static int size_of_file(sqlite3_file *open, sqlite3_int64 *size) {
    return real_of(open)->pMethods->xFileSize(real_of(open), size);
}
static int lock(sqlite3_file *open, int level) { return real_of(open)->pMethods->xLock(real_of(open), level); }
static int unlock(sqlite3_file *open, int level) { return real_of(open)->pMethods->xUnlock(real_of(open), level); }
static int check_lock(sqlite3_file *open, int *is_held) {
    return real_of(open)->pMethods->xCheckReservedLock(real_of(open), is_held);
}
static int control(sqlite3_file *open, int operation, void *argument) {
    return real_of(open)->pMethods->xFileControl(real_of(open), operation, argument);
}
static int sector_size(sqlite3_file *open) { return real_of(open)->pMethods->xSectorSize(real_of(open)); }
static int characteristics(sqlite3_file *open) {
    return real_of(open)->pMethods->xDeviceCharacteristics(real_of(open));
}
static int map_memory(sqlite3_file *open, int page, int size, int extends, void volatile **memory) {
    return real_of(open)->pMethods->xShmMap(real_of(open), page, size, extends, memory);
}
static int lock_memory(sqlite3_file *open, int offset, int count, int flags) {
    return real_of(open)->pMethods->xShmLock(real_of(open), offset, count, flags);
}
static void barrier(sqlite3_file *open) { real_of(open)->pMethods->xShmBarrier(real_of(open)); }
static int unmap_memory(sqlite3_file *open, int deletes) {
    return real_of(open)->pMethods->xShmUnmap(real_of(open), deletes);
}

/// Version 2: without memory-mapped files, whose writes are invisible.
static const sqlite3_io_methods methods = {
    2, close_file, read_file, write_file, truncate_file, sync_file, size_of_file, lock, unlock, check_lock, control,
    sector_size, characteristics, map_memory, lock_memory, barrier, unmap_memory, NULL, NULL};

static int open_file(sqlite3_vfs *self, const char *path, sqlite3_file *open, int flags, int *out_flags) {
    (void)self;
    followed *followed = find(path);
    if (followed == NULL) return usual->xOpen(usual, path, open, flags, out_flags);
    file *made = (file *)open;
    made->base.pMethods = NULL;
    made->real = sqlite3_malloc(usual->szOsFile);
    if (made->real == NULL) return SQLITE_NOMEM;
    memset(made->real, 0, (size_t)usual->szOsFile);
    int code = usual->xOpen(usual, path, made->real, flags, out_flags);
    if (code != SQLITE_OK) {
        if (made->real->pMethods != NULL) made->real->pMethods->xClose(made->real);
        sqlite3_free(made->real);
        return code;
    }
    followed->is_there = 1;
    made->followed = followed;
    made->base.pMethods = &methods;
    return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *self, const char *path, int syncs_folder) {
    (void)self;
    followed *followed = find(path);
    if (followed != NULL) step();
    int code = usual->xDelete(usual, path, syncs_folder);
    if (code == SQLITE_OK && followed != NULL) {
        followed->is_there = 0;
        followed->size = 0;
        forget_changes(followed);
    }
    return code;
}

int32_t keyturn_power_follow(const char *path, int32_t lies, keyturn_power_step *step, void *context) {
    if (usual == NULL) {
        usual = sqlite3_vfs_find(NULL);
        if (usual == NULL) return 0;
        vfs = *usual;
        vfs.zName = "power-loss";
        if (vfs.szOsFile < (int)sizeof(file)) vfs.szOsFile = (int)sizeof(file);
        vfs.xOpen = open_file;
        vfs.xDelete = delete_file;
        if (sqlite3_vfs_register(&vfs, 1) != SQLITE_OK) return 0;
    }
    keyturn_power_forget();
    snprintf(folder, sizeof folder, "%s", path);
    is_lying = lies;
    on_step = step;
    step_context = context;
    return 1;
}

void keyturn_power_forget(void) {
    for (int i = 0; i < MOST_FILES; i++) {
        forget_changes(&files[i]);
        free(files[i].synced);
        files[i] = (followed){.is_there = 0};
    }
    folder[0] = 0;
    on_step = NULL;
}
