import CLinux

/// The memory of this process, which may hold secrets.
package enum ProcessMemory {
  /// Keeps the memory from core files and from other processes of the same user.
  ///
  /// It stays hidden until the process executes another program. A process with `CAP_SYS_PTRACE`, as root has it,
  /// can read it still.
  ///
  /// - Throws: ``SpawnError`` where the system refuses it.
  package static func hide() throws(SpawnError) {
    let result = martlet_hide_memory()
    guard result == 0 else { throw SpawnError("cannot hide the memory of this process", result) }
  }
}
