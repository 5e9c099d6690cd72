#pragma once
#if !__has_include(<sqlite3.h>)
#error "SQLite's header is missing; install libsqlite3-dev"
#endif
#include <sqlite3.h>
