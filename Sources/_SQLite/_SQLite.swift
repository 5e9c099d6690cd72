// _SQLite: to come.
