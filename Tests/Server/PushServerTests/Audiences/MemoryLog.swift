import PushModel
import PushPayload
import Synchronization
import TestSupport

@testable import PushServer

/// A log of changes in memory, which counts what is read and forgets all but the last changes.
final class MemoryLog: DeviceLog {
  private struct State {
    var devices: [UInt32: Device] = [:]
    /// The devices of the changes, whose numbers are counted from 1.
    var changes: [UInt32] = []
    var reads = Reads()
  }

  /// How many devices were read, in scans of all and one by one.
  struct Reads: Equatable {
    var scanned = 0
    var changed = 0
  }

  private let state = Mutex(State())
  /// How many changes are kept.
  private let kept: Int
  /// Called before each read of devices.
  private let beforeRead: @Sendable (MemoryLog) -> Void

  init(kept: Int = .max, beforeRead: @escaping @Sendable (MemoryLog) -> Void = { _ in }) {
    (self.kept, self.beforeRead) = (kept, beforeRead)
  }

  var reads: Reads { state.withLock(\.reads) }

  func resetReads() { state.withLock { $0.reads = Reads() } }

  func save(_ devices: [Device]) {
    state.withLock { state in
      for device in devices {
        state.devices[device.number] = device
        state.changes.append(device.number)
      }
    }
  }

  /// Devices with the numbers, whose ids and users are their own.
  static func devices(_ numbers: ClosedRange<UInt32>, tag: String = "news") -> [Device] {
    numbers.map { number in
      var device = Device(id: "device-\(number)", createdAt: RandomAudience.now)
      device.number = number
      device.token = "00"
      device.userID = "user-\(number)"
      device.tags = [tag]
      return device
    }
  }

  func devices(
    app: String, above number: UInt32?, limit: Int
  ) async throws(StoreError) -> [Device] {
    beforeRead(self)
    return state.withLock { state in
      let numbers = state.devices.keys.filter { $0 > number ?? 0 }.sorted().prefix(limit)
      state.reads.scanned += numbers.count
      return numbers.compactMap { state.devices[$0] }
    }
  }

  func devices(app: String, numbers: DeviceNumbers) async throws(StoreError) -> [Device] {
    beforeRead(self)
    return state.withLock { state in
      state.reads.changed += numbers.count
      return numbers.compactMap { state.devices[$0] }
    }
  }

  func lastChange(app: String) async throws(StoreError) -> Int64 {
    state.withLock { Int64($0.changes.count) }
  }

  func lastChanges() async throws(StoreError) -> [String: Int64] {
    ["app": try await lastChange(app: "app")]
  }

  func changes(
    app: String, after sequence: Int64, limit: Int
  ) async throws(StoreError) -> DeviceChanges? {
    state.withLock { state in
      guard Int(sequence) >= state.changes.count - kept else { return nil }
      let changes = state.changes.dropFirst(Int(sequence)).prefix(limit)
      return DeviceChanges(
        devices: DeviceNumbers(changes), last: sequence + Int64(changes.count))
    }
  }

  func trimChanges(app: String, through sequence: Int64) async throws(StoreError) {}
}

extension Audiences {
  /// Follows the log in rounds, until a condition holds after one.
  func follow(at now: Timestamp = RandomAudience.now, until isDone: @escaping @Sendable () -> Bool)
    async
  {
    let rounds = Mutex(0)
    await follow(
      clock: ServerClock(
        now: { now },
        sleep: { _ in
          let round = rounds.withLock { rounds in
            rounds += 1
            return rounds
          }
          guard round > 1 else { return }
          await Task.yield()
          if isDone(), self.busy.withLock(\.isEmpty) { throw CancellationError() }
        }))
  }

  func count(
    tag: String? = nil, userID: String? = nil, at now: Timestamp = RandomAudience.now
  ) async throws -> Int {
    var filters: [Filter] = []
    if let tag { filters.append(Filter(field: .builtIn(.tags), criteria: [.equals(.string(tag))])) }
    if let userID {
      filters.append(Filter(field: .builtIn(.userID), criteria: [.equals(.string(userID))]))
    }
    let audience = Audience(id: "a", app: "app", filters: filters, createdAt: now)
    return try await count(of: audience, at: now).targeted
  }
}
