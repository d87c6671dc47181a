#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

// SQLite's header, and the parts that Swift can't import, such as the cast in SQLITE_TRANSIENT.

/// Both copy their argument and return SQLite's code. Lengths are in bytes, because text may contain NUL.
int32_t keyturn_sqlite_bind_text(sqlite3_stmt *statement, int32_t index, const char *text, size_t length);
int32_t keyturn_sqlite_bind_blob(sqlite3_stmt *statement, int32_t index, const uint8_t *bytes, size_t length);

/// Keeps the write-ahead log when the last connection closes. SQLite would delete it by name, which may belong to
/// another file by then.
int32_t keyturn_sqlite_persist_log(sqlite3 *database);

/// Skips the checkpoint when the connection closes. In C, because SQLite's function is variadic.
int32_t keyturn_sqlite_skip_checkpoint(sqlite3 *database);

/// Gets three numbers that change whenever the content of the database does. Returns 0 when nothing was read yet or
/// there is no log.
///
/// They combine the transaction count, the frames, the checksum and the salt in the index of the write-ahead log
/// (https://www.sqlite.org/walformat.html, "The WAL-Index Header"). All connections share its memory, where a commit
/// becomes visible to others, so no lock is needed.
int32_t keyturn_sqlite_log_state(sqlite3 *database, int64_t *state);
