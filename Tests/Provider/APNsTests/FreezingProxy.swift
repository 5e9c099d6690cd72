import Glibc
import Synchronization
import TestSupport

/// A TCP proxy that stops forwarding bytes when it is frozen, like a network that drops a connection silently.
///
/// It can also close its first connection after a number of bytes.
final class FreezingProxy: Sendable {
  private let listener: LoopbackListener
  private let target: UInt16
  /// The number of connections, from the first on, that are frozen.
  private let frozen = Atomic(0)
  /// The number of bytes from the server after which the first connection closes; `nil` for never.
  private let cut: Int?

  var port: UInt16 { listener.port }
  /// The number of accepted connections.
  var count: Int { listener.count }

  init(to target: UInt16, cutAfter cut: Int? = nil) throws {
    self.target = target
    self.cut = cut
    listener = try LoopbackListener()
    listener.start { [self] in serve($0, listener.count) }
  }

  /// Freezes the current connections, but not later ones.
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
