#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// SQLite's own header, and what Swift cannot read in it: SQLITE_TRANSIENT is a cast.

/// Both copy what they are given and return SQLite's code. Lengths are in bytes: text may hold NUL.
int32_t keyturn_sqlite_bind_text(sqlite3_stmt *statement, int32_t index, const char *text, size_t length);
int32_t keyturn_sqlite_bind_blob(sqlite3_stmt *statement, int32_t index, const uint8_t *bytes, size_t length);

/// Keeps the write-ahead log when the last connection closes: deleting it goes by name, and the name may have become
/// that of another file's log.
int32_t keyturn_sqlite_persist_log(sqlite3 *database);

/// Closes without writing the log's pages into the database. Its function is variadic.
int32_t keyturn_sqlite_skip_checkpoint(sqlite3 *database);

/// Three numbers that differ whenever the content of the database does: the count of transactions, the frames of the
/// write-ahead log, their checksum and their salt, from the log's index in the memory that all of the file's connections
/// share (https://www.sqlite.org/walformat.html, "The WAL-Index Header"). A commit counts for others from when it stands
/// there, so no lock is taken. 0: there is no such index, because nothing was read yet or there is no log.
int32_t keyturn_sqlite_log_state(sqlite3 *database, int64_t *state);
