#include "CSQLite.h"

int32_t keyturn_sqlite_bind_text(sqlite3_stmt *statement, int32_t index, const char *text, size_t length) {
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int32_t keyturn_sqlite_bind_blob(sqlite3_stmt *statement, int32_t index, const uint8_t *bytes, size_t length) {
    return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

int32_t keyturn_sqlite_persist_log(sqlite3 *database) {
    int on = 1;
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
}

int32_t keyturn_sqlite_skip_checkpoint(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}
