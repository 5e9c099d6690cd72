#pragma once
#if !__has_include(<sqlite3.h>)
#error "sqlite3.h is missing; install libsqlite3-dev"
#endif
#include <sqlite3.h>

// SQLITE_TRANSIENT is a macro over a cast, which Swift cannot read.
static inline int martlet_sqlite3_bind_text(
    sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
  // A null pointer would bind NULL, and an empty Swift string may have one.
  return sqlite3_bind_text64(statement, index, text ? text : "", length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int martlet_sqlite3_bind_blob(
    sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
  if (length == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// sqlite3_config has a variable number of arguments, with which Swift cannot call it.
static inline int martlet_sqlite3_leave_memory_uncounted(void) {
  return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
