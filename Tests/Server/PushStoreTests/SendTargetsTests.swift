import TestSupport
import Testing

@testable import PushModel
@testable import PushStore

@Suite("The devices of the sends that receipts came for last")
struct SendTargetsTests {
  let directory = TemporaryFolder()

  private static func key(_ number: Int64) -> SendKey { SendKey(app: 1, number: number) }

  /// Asks for sends, and returns those that were read.
  private func read(
    _ numbers: [Int64], _ targets: SendTargets, devices: DeviceNumbers = DeviceNumbers([1, 2])
  ) throws -> Set<Int64> {
    var read: Set<Int64> = []
    let found = try targets.devices(of: Set(numbers.map(Self.key))) { sends in
      read.formUnion(sends.map(\.number))
      return sends.map { ($0, devices.packed) }
    }
    #expect(Set(found.keys.map(\.number)) == Set(numbers))
    #expect(found.values.allSatisfy { $0 == devices })
    return read
  }

  @Test("are read once")
  func once() throws {
    let targets = SendTargets()
    #expect(try read([1, 2], targets) == [1, 2])
    #expect(try read([1, 2, 3], targets) == [3])
    targets.removeAll()
    #expect(try read([1], targets) == [1])
  }

  @Test("are the union of a send's segments, and none where it has no segment")
  func segments() throws {
    let targets = SendTargets()
    let found = try targets.devices(of: [Self.key(1), Self.key(2)]) { _ in
      [[1, 2], [2, 9]].map { (Self.key(1), DeviceNumbers($0 as [UInt32]).packed) }
    }
    #expect(found[Self.key(1)] == DeviceNumbers([1, 2, 9]))
    #expect(found[Self.key(2)]?.isEmpty == true)
  }

  @Test("are forgotten where they take more bytes than the limit, and not at the limit")
  func limit() throws {
    let bytes = DeviceNumbers([1, 2]).packed.count + 256
    let targets = SendTargets(byteLimit: 2 * bytes)
    for number in Int64(1)...2 { _ = try read([number], targets) }
    #expect(try read([1, 2], targets).isEmpty)
    _ = try read([3], targets)
    #expect(try read([3], targets).isEmpty)
    #expect(try read([1], targets) == [1])
  }

  @Test("count for nothing once another node has removed the outcomes of their send")
  func removedElsewhere() async throws {
    let path = directory.path("nodes.sqlite")
    let (node, other) = (try SQLitePushStore(path: path), try SQLitePushStore(path: path))
    let fixture = try await StoreFixture(node, "nodes")
    try await fixture.register(1)
    try await fixture.accept("nodes-push")
    try await fixture.drain()
    func record(_ id: String, after time: Duration) async throws -> Int {
      let receipt = Receipt(
        id: id, send: "nodes-push", device: "nodes-0", event: .received, at: Sample.now)
      return try await node.record([receipt], app: fixture.app, at: Sample.now + time)
    }
    // The first receipt brings the devices of the send into the cache of its node.
    for (id, time, stored) in [
      ("1", .zero, 1), ("2", .days(90), 1), ("3", .days(90) + .seconds(1), 0),
    ] as [(String, Duration, Int)] {
      let now = Sample.now + time
      while try await other.removeOutdated(Retention(), at: now, limit: 1000) {}
      #expect(try await record(id, after: time) == stored, "\(id)")
    }
    #expect(try await fixture.send("nodes-push").counts.delivered == 1)
  }

  @Test("are an error where a stored set is damaged")
  func damaged() {
    let error = #expect(throws: StoreError.self) {
      try SendTargets().devices(of: [Self.key(1)]) { _ in [(Self.key(1), [9, 9])] }
    }
    #expect(error?.code == .damaged)
    #expect(
      error?.message.hasPrefix("segments.devices of the send 1 is not understood: ") == true,
      "\(error?.message ?? "")")
  }
}
