#pragma once
#include <stddef.h>
#include <sqlite3.h>

// A file system of SQLite that passes all calls on to the system's, and keeps what changes its files in the order in which
// it happened. It can let changes fail.

typedef enum {
  MARTLET_DISK_CREATE,
  MARTLET_DISK_WRITE,
  MARTLET_DISK_TRUNCATE,
  MARTLET_DISK_SYNC,
  MARTLET_DISK_DELETE,
} martlet_disk_kind;

typedef struct {
  martlet_disk_kind kind;
  // The file; it belongs to the disk, as the bytes do.
  const char *path;
  // The place of a write, or the new size of a truncation.
  sqlite3_int64 offset;
  // Whether a deletion is synced, or a sync is that of a journal, with which SQLite syncs the folder.
  int syncs_folder;
  const unsigned char *bytes;
  size_t count;
} martlet_disk_event;

typedef struct martlet_disk martlet_disk;

// Makes a disk and registers it with SQLite under a name; NULL without memory.
martlet_disk *martlet_disk_make(const char *name);
// Frees a disk, which no connection uses any more.
void martlet_disk_free(martlet_disk *disk);
// The number of events, which only grows.
size_t martlet_disk_count(martlet_disk *disk);
// An event; its index is less than the number of events.
martlet_disk_event martlet_disk_event_at(martlet_disk *disk, size_t index);
// Lets `count` changes after the next `skipped` fail: writes as those to a full disk if `is_full` is not 0, and otherwise as those
// to a disk that cannot be written.
void martlet_disk_fail(martlet_disk *disk, size_t skipped, size_t count, int is_full);
// Keeps syncs without waiting for the system's disk from now on.
void martlet_disk_skip_syncs(martlet_disk *disk);
// The number of changes that were asked for, failed ones included.
size_t martlet_disk_changes(martlet_disk *disk);
