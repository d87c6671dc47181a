#include "CKeyturnSQLite.h"

#include <string.h>

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

int32_t keyturn_sqlite_log_state(sqlite3 *database, int64_t *state) {
    enum { region_bytes = 32768, header_words = 12, version = 3007000 };
    sqlite3_file *file = NULL;
    volatile void *region = NULL;
    if (sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK || file == NULL
        || file->pMethods == NULL || file->pMethods->iVersion < 2
        || file->pMethods->xShmMap(file, 0, region_bytes, 0, &region) != SQLITE_OK || region == NULL) {
        return 0;
    }
    uint32_t header[header_words];
    for (int word = 0; word < header_words; word++) header[word] = ((const volatile uint32_t *)region)[word];
    uint8_t is_initialized;
    memcpy(&is_initialized, &header[3], 1);
    if (header[0] != version || is_initialized != 1) return 0;
    state[0] = (int64_t)header[2] << 32 | header[4];
    memcpy(&state[1], &header[6], 2 * sizeof *state);
    return 1;
}
