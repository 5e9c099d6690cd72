import CLinux
import Glibc
import Synchronization

/// A child process that is connected to this one by a ``FrameChannel``.
///
/// The child's end of the channel is descriptor 3. Its standard output is redirected to standard error.
package final class ConnectedProcess: Sendable {
  /// The way in which a process ended.
  package enum Ending: Hashable, Sendable {
    case exited(code: Int32)
    case killed(signal: Int32)
  }

  /// The descriptor of the channel in the child process.
  package static let descriptor: Int32 = 3

  package let identifier: Int32
  package let channel: FrameChannel
  private let ending = Mutex<Ending?>(nil)

  /// Starts a program with this process's environment, in which `environment` replaces variables.
  ///
  /// If `inherited` is given, the program gets only these variables of this process, so that no secret in
  /// others reaches it.
  package init(
    _ executable: String, _ arguments: [String], environment: [String: String] = [:],
    inheriting inherited: Set<String>? = nil
  ) throws(SpawnError) {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw SpawnError("cannot connect to \(executable)", errno)
    }
    defer { _ = close(ends[1]) }
    channel = FrameChannel(descriptor: ends[0])
    identifier = try Self.spawn(
      executable, arguments,
      variables: Self.variables(changedBy: environment, among: inherited), connection: ends[1])
  }

  /// Kills the process.
  ///
  /// It has no effect after the process has ended.
  package func kill() {
    // The lock is held, because the identifier of a reaped process may be reused.
    ending.withLock { ending in
      if ending == nil { _ = Glibc.kill(identifier, SIGKILL) }
    }
  }

  /// Waits until the process has ended, and reaps it.
  package func wait() -> Ending {
    ChildProcess.awaitEnd(identifier)
    return ending.withLock { ending in
      if let ending { return ending }
      let status = ChildProcess.reapStatus(identifier)
      let signal = status & 0x7F
      let found: Ending =
        signal == 0 ? .exited(code: (status >> 8) & 0xFF) : .killed(signal: signal)
      ending = found
      return found
    }
  }

  /// The process's anonymous resident memory in bytes; `nil` if the process has ended.
  package var anonymousBytes: Int? {
    ending.withLock { ending in
      ending == nil ? Self.anonymousBytes(identifier) : nil
    }
  }

  private static func anonymousBytes(_ identifier: pid_t) -> Int? {
    let file = unsafe open("/proc/\(identifier)/status", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { _ = close(file) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(file, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let key = Array("RssAnon:".utf8)
    for line in buffer[..<count].split(separator: UInt8(ascii: "\n")) where line.starts(with: key) {
      let digits = line.filter { (0x30...0x39).contains($0) }
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } << 10
    }
    return nil
  }

  private static func spawn(
    _ executable: String, _ arguments: [String], variables: [String], connection: Int32
  ) throws(SpawnError) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, connection, descriptor)
    unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)
    unsafe martlet_close_from(&actions, descriptor + 1)
    var attributes = ChildProcess.attributes()
    defer { unsafe posix_spawnattr_destroy(&attributes) }

    var words = unsafe ([executable] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var variables = unsafe variables.map { unsafe strdup($0) } + [nil]
    defer { unsafe variables.forEach { unsafe free($0) } }
    var identifier: pid_t = 0
    let result = unsafe posix_spawn(
      &identifier, executable, &actions, &attributes, &words, &variables)
    guard result == 0 else { throw SpawnError("cannot start \(executable)", result) }
    return identifier
  }

  private static func variables(
    changedBy changes: [String: String], among inherited: Set<String>?
  ) -> [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
      let variable = unsafe String(cString: entry)
      let name = String(variable.prefix { $0 != "=" })
      if changes[name] == nil, inherited?.contains(name) ?? true { variables.append(variable) }
      unsafe next += 1
    }
    return variables + changes.map { "\($0.key)=\($0.value)" }
  }
}
