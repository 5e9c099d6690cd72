import CLinux
import Glibc

extension ChildProcess {
  static func pipe() throws(SpawnError) -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard unsafe martlet_pipe2(&ends, O_CLOEXEC) == 0 else {
      throw SpawnError("cannot create a pipe", errno)
    }
    return (ends[0], ends[1])
  }

  /// A file in memory with these bytes, without a name in any folder, positioned at its start.
  static func memoryFile(of bytes: [UInt8]) throws(SpawnError) -> Int32 {
    let file = martlet_memory_file()
    guard file >= 0 else { throw SpawnError("cannot make a file in memory", errno) }
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes[written...].withUnsafeBytes { rest in
        unsafe pwrite(file, rest.baseAddress, rest.count, off_t(written))
      }
      guard count > 0 || errno == EINTR else {
        let code = errno
        _ = close(file)
        throw SpawnError("cannot write a file in memory", code)
      }
      written += max(0, count)
    }
    return file
  }

  static func spawn(
    _ executable: String, _ arguments: [String], input: Int32?, output: Int32, keepsErrors: Bool,
    closing: Int32
  ) throws(SpawnError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    if let input { unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    if !keepsErrors {
      unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    }
    unsafe martlet_close_from(&actions, 3)
    var attributes = attributes()
    defer { unsafe posix_spawnattr_destroy(&attributes) }

    var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let result = unsafe posix_spawn(
      &identifier, executable, &actions, &attributes, &words, environ)
    guard result == 0 else { throw failure(executable, result, closing: closing) }
    return identifier
  }

  /// Attributes that reset the child's signals to their defaults, even if this program ignores them.
  static func attributes() -> posix_spawnattr_t {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGINT, SIGTERM, SIGPIPE] { unsafe sigaddset(&signals, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
    return attributes
  }

  private static func failure(_ executable: String, _ number: Int32, closing: Int32) -> SpawnError {
    _ = close(closing)
    return SpawnError("cannot start \(executable)", number)
  }

  /// Reads to the end and calls `line` for each line; the last one needs no newline.
  static func read(_ descriptor: Int32, _ line: (String) -> Void) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += buffer[..<count]
      while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
        line(String(decoding: rest[..<newline], as: UTF8.self))
        rest.removeSubrange(...newline)
      }
    }
    if !rest.isEmpty { line(String(decoding: rest, as: UTF8.self)) }
  }

  /// Waits until a child has ended, without reaping it.
  static func awaitEnd(_ identifier: pid_t) {
    var information = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 {
      guard errno == EINTR else { return }
    }
  }

  static func reap(_ identifier: pid_t) -> Int32 {
    let status = reapStatus(identifier)
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Reaps a child and returns the status of waitpid(2); if no such child exists, that of an exit with 255.
  static func reapStatus(_ identifier: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(identifier, &status, 0) < 0 {
      guard errno == EINTR else { return 0xFF00 }
    }
    return status
  }
}
