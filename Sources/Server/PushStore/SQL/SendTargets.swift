import PushModel
import Synchronization

/// A cache of the devices of sends with recent receipts.
///
/// The devices of a send do not change after its acceptance. Another node may remove them with the send's outcomes, so
/// the store is asked each time whether it still has them.
final class SendTargets: Sendable {
  private struct State {
    var devices: [SendKey: DeviceNumbers] = [:]
    var bytes = 0
  }

  private let state = Mutex(State())
  private let byteLimit: Int
  /// The number of bytes that an entry takes in addition to its devices.
  private static let entryBytes = 256

  /// Makes an empty cache.
  ///
  /// `byteLimit` is the size beyond which the cache is emptied.
  init(byteLimit: Int = 64 << 20) { self.byteLimit = byteLimit }

  /// Empties the cache.
  func removeAll() { state.withLock { $0 = State() } }

  /// The devices of some sends; `read` reads those that are not in the cache.
  func devices(
    of sends: Set<SendKey>, read: ([SendKey]) throws -> [(send: SendKey, packed: [UInt8])]
  ) throws -> [SendKey: DeviceNumbers] {
    var found: [SendKey: DeviceNumbers] = state.withLock { state in
      sends.reduce(into: [:]) { found, send in found[send] = state.devices[send] }
    }
    let missing = sends.filter { found[$0] == nil }
    guard !missing.isEmpty else { return found }
    for send in missing { found[send] = DeviceNumbers() }
    var bytes = missing.count * Self.entryBytes
    for (send, packed) in try read(Array(missing)) {
      guard let numbers = DeviceNumbers(packed: packed) else {
        throw StoredValueError(
          column: "devices", problem: SQLRow.notUnderstood, row: "the send \(send.number)"
        ).error(reading: "FROM segments")
      }
      found[send] = found[send]?.union(numbers)
      bytes += packed.count
    }
    state.withLock { [found] state in
      if state.bytes + bytes > byteLimit { state = State() }
      for send in missing { state.devices[send] = found[send] }
      state.bytes += bytes
    }
    return found
  }
}
