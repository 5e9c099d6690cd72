import Glibc
import Synchronization
import TestSupport

/// Passes bytes between a client and a port until it is frozen: then what comes is taken and nothing
/// passed on, as where a network drops a connection without a word. It can cut its first connection, too.
final class FreezingProxy: Sendable {
  private let listener: LoopbackListener
  private let target: UInt16
  /// How many of the connections, from the first on, are frozen.
  private let frozen = Atomic(0)
  /// After how many bytes of the server's the first connection ends; `nil` for never.
  private let cut: Int?

  var port: UInt16 { listener.port }
  /// How many connections came.
  var count: Int { listener.count }

  init(to target: UInt16, cutAfter cut: Int? = nil) throws {
    self.target = target
    self.cut = cut
    listener = try LoopbackListener()
    listener.start { [self] in serve($0, listener.count) }
  }

  /// Freezes the connections there are; later ones are not.
  func freeze() { frozen.store(listener.count, ordering: .releasing) }
  func stop() { listener.stop() }

  private func serve(_ client: Int32, _ number: Int) {
    guard let server = LoopbackListener.connect(to: target) else { return }
    defer { close(server) }
    var bytes = [UInt8](repeating: 0, count: 65536)
    var left = number == 1 ? cut ?? .max : .max
    while left > 0 {
      var ready = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&ready, 2, -1) > 0 else { return }
      for (index, other) in [server, client].enumerated() where ready[index].revents != 0 {
        let isFromServer = index == 1
        let count = read(
          ready[index].fd, &bytes, isFromServer ? min(left, bytes.count) : bytes.count)
        guard count > 0 else { return }
        if isFromServer { left -= count }
        if number > frozen.load(ordering: .acquiring) {
          guard write(other, bytes, count) == count else { return }
        }
      }
    }
  }
}
