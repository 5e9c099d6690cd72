#include "include/CRecordedDisk.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct martlet_disk {
  sqlite3_vfs vfs;
  sqlite3_vfs *system;
  char *name;
  pthread_mutex_t lock;
  martlet_disk_event *events;
  size_t count, capacity;
  // The number of changes that were asked for, and those of them that fail.
  size_t changes, first_failure, end_of_failures;
  int is_full;
  // Whether syncs are kept without being passed on.
  int skips_syncs;
};

// A file, which the system's file follows in memory.
typedef struct {
  sqlite3_file base;
  martlet_disk *disk;
  const char *path;
  int is_journal;
} recorded_file;

static sqlite3_file *system_file(sqlite3_file *file) { return (sqlite3_file *)((recorded_file *)file + 1); }

// The event is kept whatever happens: a test without memory ends.
static void keep(martlet_disk *disk, martlet_disk_event event) {
  if (disk->count == disk->capacity) {
    disk->capacity = disk->capacity ? disk->capacity * 2 : 256;
    disk->events = realloc(disk->events, disk->capacity * sizeof *disk->events);
    if (!disk->events) abort();
  }
  event.path = strdup(event.path);
  if (!event.path) abort();
  if (event.count > 0) {
    unsigned char *bytes = malloc(event.count);
    if (!bytes) abort();
    memcpy(bytes, event.bytes, event.count);
    event.bytes = bytes;
  }
  disk->events[disk->count++] = event;
}

// Whether the next change fails; the lock is held.
static int next_fails(martlet_disk *disk) {
  size_t change = disk->changes++;
  return change >= disk->first_failure && change < disk->end_of_failures;
}

// Files

static int close_file(sqlite3_file *file) { return system_file(file)->pMethods->xClose(system_file(file)); }

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return system_file(file)->pMethods->xRead(system_file(file), bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  recorded_file *recorded = (recorded_file *)file;
  martlet_disk *disk = recorded->disk;
  pthread_mutex_lock(&disk->lock);
  int code;
  if (next_fails(disk)) {
    code = disk->is_full ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  } else {
    code = system_file(file)->pMethods->xWrite(system_file(file), bytes, count, offset);
    if (code == SQLITE_OK) {
      keep(disk, (martlet_disk_event){MARTLET_DISK_WRITE, recorded->path, offset, 0, bytes, (size_t)count});
    }
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  recorded_file *recorded = (recorded_file *)file;
  martlet_disk *disk = recorded->disk;
  pthread_mutex_lock(&disk->lock);
  int code;
  if (next_fails(disk)) {
    code = SQLITE_IOERR_TRUNCATE;
  } else {
    code = system_file(file)->pMethods->xTruncate(system_file(file), size);
    if (code == SQLITE_OK) keep(disk, (martlet_disk_event){MARTLET_DISK_TRUNCATE, recorded->path, size, 0, NULL, 0});
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int sync_file(sqlite3_file *file, int flags) {
  recorded_file *recorded = (recorded_file *)file;
  martlet_disk *disk = recorded->disk;
  pthread_mutex_lock(&disk->lock);
  int code;
  if (next_fails(disk)) {
    code = SQLITE_IOERR_FSYNC;
  } else {
    code = disk->skips_syncs ? SQLITE_OK : system_file(file)->pMethods->xSync(system_file(file), flags);
    if (code == SQLITE_OK) {
      keep(disk, (martlet_disk_event){MARTLET_DISK_SYNC, recorded->path, 0, recorded->is_journal, NULL, 0});
    }
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) {
  return system_file(file)->pMethods->xFileSize(system_file(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
  return system_file(file)->pMethods->xLock(system_file(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
  return system_file(file)->pMethods->xUnlock(system_file(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  return system_file(file)->pMethods->xCheckReservedLock(system_file(file), is_reserved);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
  return system_file(file)->pMethods->xFileControl(system_file(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return system_file(file)->pMethods->xSectorSize(system_file(file)); }

static int device_characteristics(sqlite3_file *file) {
  return system_file(file)->pMethods->xDeviceCharacteristics(system_file(file));
}

static int map_shared(sqlite3_file *file, int region, int size, int extends, void volatile **memory) {
  return system_file(file)->pMethods->xShmMap(system_file(file), region, size, extends, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return system_file(file)->pMethods->xShmLock(system_file(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) { system_file(file)->pMethods->xShmBarrier(system_file(file)); }

static int unmap_shared(sqlite3_file *file, int deletes) {
  return system_file(file)->pMethods->xShmUnmap(system_file(file), deletes);
}

// Version 2 has no memory maps of files, whose writes would not be seen.
static const sqlite3_io_methods methods = {
    2,           close_file,   read_file,           write_file,   truncate_file, sync_file,
    size_of_file, lock_file,   unlock_file,         check_reserved_lock, control_file, sector_size,
    device_characteristics, map_shared, lock_shared, shared_barrier, unmap_shared, NULL, NULL,
};

// The disk

static martlet_disk *disk_of(sqlite3_vfs *vfs) { return (martlet_disk *)vfs->pAppData; }

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags) {
  martlet_disk *disk = disk_of(vfs);
  recorded_file *recorded = (recorded_file *)file;
  memset(recorded, 0, sizeof *recorded);
  int exists = 0;
  pthread_mutex_lock(&disk->lock);
  if (path) disk->system->xAccess(disk->system, path, SQLITE_ACCESS_EXISTS, &exists);
  int code = disk->system->xOpen(disk->system, path, system_file(file), flags, out_flags);
  if (system_file(file)->pMethods) {
    recorded->disk = disk;
    recorded->path = path ? path : "";
    // SQLite syncs the folder with the first sync of a journal or log that it has created (`os_unix.c`, UNIXFILE_DIRSYNC).
    recorded->is_journal = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) != 0;
    recorded->base.pMethods = &methods;
    if (code == SQLITE_OK && path && !exists) {
      keep(disk, (martlet_disk_event){MARTLET_DISK_CREATE, path, 0, 0, NULL, 0});
    }
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  martlet_disk *disk = disk_of(vfs);
  pthread_mutex_lock(&disk->lock);
  int code = disk->system->xDelete(disk->system, path, syncs_folder);
  if (code == SQLITE_OK) keep(disk, (martlet_disk_event){MARTLET_DISK_DELETE, path, 0, syncs_folder, NULL, 0});
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int access_file(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  return disk_of(vfs)->system->xAccess(disk_of(vfs)->system, path, flags, result);
}

static int full_path(sqlite3_vfs *vfs, const char *path, int capacity, char *full) {
  return disk_of(vfs)->system->xFullPathname(disk_of(vfs)->system, path, capacity, full);
}

static int randomness(sqlite3_vfs *vfs, int count, char *bytes) {
  return disk_of(vfs)->system->xRandomness(disk_of(vfs)->system, count, bytes);
}

static int sleep_for(sqlite3_vfs *vfs, int microseconds) {
  return disk_of(vfs)->system->xSleep(disk_of(vfs)->system, microseconds);
}

static int current_time(sqlite3_vfs *vfs, double *time) {
  return disk_of(vfs)->system->xCurrentTime(disk_of(vfs)->system, time);
}

static int last_error(sqlite3_vfs *vfs, int capacity, char *message) {
  return disk_of(vfs)->system->xGetLastError(disk_of(vfs)->system, capacity, message);
}

static int current_milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  return disk_of(vfs)->system->xCurrentTimeInt64(disk_of(vfs)->system, time);
}

martlet_disk *martlet_disk_make(const char *name) {
  martlet_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  disk->system = sqlite3_vfs_find(NULL);
  disk->name = strdup(name);
  if (!disk->system || !disk->name) {
    free(disk->name);
    free(disk);
    return NULL;
  }
  pthread_mutex_init(&disk->lock, NULL);
  disk->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(recorded_file) + disk->system->szOsFile,
      .mxPathname = disk->system->mxPathname,
      .zName = disk->name,
      .pAppData = disk,
      .xOpen = open_file,
      .xDelete = delete_file,
      .xAccess = access_file,
      .xFullPathname = full_path,
      .xRandomness = randomness,
      .xSleep = sleep_for,
      .xCurrentTime = current_time,
      .xGetLastError = last_error,
      .xCurrentTimeInt64 = current_milliseconds,
  };
  if (sqlite3_vfs_register(&disk->vfs, 0) != SQLITE_OK) {
    martlet_disk_free(disk);
    return NULL;
  }
  return disk;
}

void martlet_disk_free(martlet_disk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  for (size_t index = 0; index < disk->count; index++) {
    free((void *)disk->events[index].path);
    if (disk->events[index].count > 0) free((void *)disk->events[index].bytes);
  }
  free(disk->events);
  free(disk->name);
  pthread_mutex_destroy(&disk->lock);
  free(disk);
}

size_t martlet_disk_count(martlet_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  size_t count = disk->count;
  pthread_mutex_unlock(&disk->lock);
  return count;
}

martlet_disk_event martlet_disk_event_at(martlet_disk *disk, size_t index) {
  pthread_mutex_lock(&disk->lock);
  martlet_disk_event event = disk->events[index];
  pthread_mutex_unlock(&disk->lock);
  return event;
}

void martlet_disk_fail(martlet_disk *disk, size_t skipped, size_t count, int is_full) {
  pthread_mutex_lock(&disk->lock);
  disk->first_failure = disk->changes + skipped;
  disk->end_of_failures = disk->first_failure + count;
  disk->is_full = is_full;
  pthread_mutex_unlock(&disk->lock);
}

void martlet_disk_skip_syncs(martlet_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  disk->skips_syncs = 1;
  pthread_mutex_unlock(&disk->lock);
}

size_t martlet_disk_changes(martlet_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  size_t changes = disk->changes;
  pthread_mutex_unlock(&disk->lock);
  return changes;
}
