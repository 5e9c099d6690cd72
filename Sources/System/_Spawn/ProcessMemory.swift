import CLinux

/// The memory of this process, which may hold secrets.
package enum ProcessMemory {
  /// Hides the memory from core files and from other processes of the same user.
  ///
  /// It stays hidden until the process executes another program. A process with `CAP_SYS_PTRACE`, such as one of
  /// root, can still read it.
  ///
  /// - Throws: ``SpawnError`` if the system refuses.
  package static func hide() throws(SpawnError) {
    let result = martlet_hide_memory()
    guard result == 0 else { throw SpawnError("cannot hide the memory of this process", result) }
  }
}
