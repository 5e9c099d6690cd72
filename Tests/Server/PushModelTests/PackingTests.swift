import PushModel
import TestSupport
import Testing

struct PackingTests {
  @Test(
    "device numbers are an ordered set, and equal after they were packed and read",
    arguments: [
      [], [0], [1], [.max], [0, .max], [1, 2, 3], [5, 3, 4, 3], [1, 3, 5], [.max - 1, .max],
      Array(1...5000), stride(from: 1, to: 100_000, by: 7).map { UInt32($0) },
    ] as [[UInt32]])
  func numbers(of numbers: [UInt32]) {
    let set = DeviceNumbers(numbers)
    let sorted = Set(numbers).sorted()
    #expect(Array(set) == sorted)
    #expect(set.count == sorted.count)
    #expect(set.first == sorted.first)
    #expect(set.last == sorted.last)
    #expect(DeviceNumbers(packed: set.packed) == set)
    for number in [0, 1, 2, 4, 8, .max] as [UInt32] {
      #expect(set.contains(number) == sorted.contains(number))
    }
    for (rank, limit) in [(0, 0), (0, 1), (1, 2), (2, 1000), (4999, 10)] {
      #expect(
        Array(set.slice(from: rank, limit: limit)) == Array(sorted.dropFirst(rank).prefix(limit)))
    }
  }

  @Test("a million consecutive device numbers are packed into a few bytes")
  func density() {
    #expect(DeviceNumbers(1...1_000_000).packed.count < 300)
  }

  @Test(
    "bytes that are not packed device numbers are refused",
    arguments: [
      [], [1], [2], [3, 0], [2, 58, 48], [1, 1], [1, 0, 0, 1, 2],
    ] as [[UInt8]])
  func noNumbers(bytes: [UInt8]) {
    #expect(DeviceNumbers(packed: bytes) == nil)
  }

  @Test("retries are equal after they were packed and read, with the key that was refused")
  func retries() throws {
    var retries = Retries()
    let devices = DeviceNumbers([1, 2, 3])
    let groups = [
      Retry(DeviceNumbers([1]), dueAt: Self.time(0), attempts: 3, isKeyRefused: true),
      Retry(DeviceNumbers([2]), dueAt: Self.time(1), isKeyRefused: true),
      Retry(DeviceNumbers([3]), dueAt: Self.time(2), attempts: 3),
    ]
    retries.replace(devices, by: groups, left: devices)
    #expect(retries.groups == groups)
    #expect(Retries(packed: retries.packed) == retries)
  }

  @Test("retries that a program without refusals of the key has packed are read")
  func olderRetries() throws {
    let devices = DeviceNumbers([1]).packed
    let bytes: [UInt8] = [1, 2, 3, UInt8(devices.count)] + devices
    let retries = try #require(Retries(packed: bytes))
    #expect(
      retries.groups == [
        Retry(DeviceNumbers([1]), dueAt: Timestamp(milliseconds: 1), attempts: 3)
      ])
    #expect(retries.packed == bytes)
  }

  private static let outcomes = [
    Outcome(device: 2, result: .sent, status: 200, reason: nil, time: time(7)),
    Outcome(device: 3, result: .rejected, status: 400, reason: "BadDeviceToken", time: time(-9)),
    Outcome(device: 5, result: .rejected, status: nil, reason: "", time: time(1000)),
  ]

  private static func time(_ offset: Int64) -> Timestamp {
    Timestamp(milliseconds: 1_700_000_000_000 + offset)
  }

  @Test("outcomes are equal after they were packed and read, and only a device's first is kept")
  func packing() throws {
    let devices = DeviceNumbers([2, 3, 4, 5])
    var packed = PackedOutcomes(devices: devices)
    #expect(packed.merge(Array(Self.outcomes.prefix(2))).map(\.device) == [2, 3])
    let late = Outcome(device: 2, result: .rejected, status: 500, reason: nil, time: Self.time(0))
    let stranger = Outcome(device: 9, result: .sent, status: 200, reason: nil, time: Self.time(0))
    var again = try #require(PackedOutcomes(devices: devices, packed: packed.packed))
    #expect(again.merge([late, stranger, Self.outcomes[2], late]).map(\.device) == [5])
    #expect(again.outcomes == Self.outcomes)
    #expect(again.left == DeviceNumbers([4]))
    let read = try #require(PackedOutcomes(devices: devices, packed: again.packed))
    #expect(read.outcomes == Self.outcomes)
    #expect(read.count == 3)
    #expect(read.outcome(of: 3)?.reason == "BadDeviceToken")
    #expect(read.outcome(of: 4) == nil)
    let reasons = try #require(PackedOutcomes.reasons(inPacked: again.packed))
    #expect(reasons == Dictionary(uniqueKeysWithValues: Self.outcomes.map { ($0.end, 1) }))
    // The first bytes are enough from the end of the table on, which entries of two bytes or more follow.
    let counted = (0...again.packed.count).filter { length in
      let found = PackedOutcomes.reasons(inFirst: Array(again.packed.prefix(length)))
      #expect(found == nil || found == reasons)
      return found != nil
    }
    let end = try #require(counted.first)
    #expect(counted == Array(end...again.packed.count))
    #expect(end <= again.packed.count - 2 * Self.outcomes.count)
  }

  @Test("outcomes of the format without counts are read and counted, and packed again with them")
  func formatWithoutCounts() throws {
    let devices = DeviceNumbers([2, 3, 4])
    // Two ends, 200 and 400 with a reason; then 2 and 4 have the first and 3 the second, at 0, 0 and 1 ms.
    let bytes: [UInt8] = [1, 2, 0, 200, 1, 0, 1, 144, 3, 1, 1, 65, 1, 0, 2, 0, 1, 2]
    let read = try #require(PackedOutcomes(devices: devices, packed: bytes))
    #expect(read.outcomes.map(\.status) == [200, 400, 200])
    #expect(read.outcomes.map(\.time.milliseconds) == [0, 0, 1])
    let counts = [
      OutcomeReason(result: .sent, status: 200, reason: nil): 2,
      OutcomeReason(result: .rejected, status: 400, reason: "A"): 1,
    ]
    #expect(PackedOutcomes.reasons(inPacked: bytes) == counts)
    #expect(PackedOutcomes.reasons(inFirst: bytes) == nil)
    #expect(PackedOutcomes.reasons(inPacked: Array(bytes.dropLast())) == nil)
    #expect(PackedOutcomes.reasons(inPacked: read.packed) == counts)
    var wrong = read.packed
    #expect(wrong[6] == 2, "the count of the first end")
    wrong[6] = 3
    #expect(PackedOutcomes(devices: devices, packed: wrong) == nil)
  }

  @Test(
    "outcomes are merged by device, in whatever order they come",
    arguments: 0..<20 as Range<UInt64>)
  func order(seed: UInt64) throws {
    let devices = DeviceNumbers((0..<100).map { $0 * 3 })
    var random = SeededGenerator(seed: seed)
    // Devices of the batch and others, some twice.
    let outcomes = (0..<150).map { number in
      Outcome(
        device: UInt32.random(in: 0..<330, using: &random), result: .sent, status: number,
        reason: nil, time: Self.time(Int64(number)))
    }
    var first: [UInt32: Outcome] = [:]
    for outcome in outcomes where devices.contains(outcome.device) {
      first[outcome.device] = first[outcome.device] ?? outcome
    }
    var packed = PackedOutcomes(devices: devices)
    let taken = packed.merge(outcomes)
    #expect(taken == first.values.sorted { $0.device < $1.device })
    #expect(packed.outcomes == taken)
    #expect(packed.count == taken.count)
    #expect(packed.merge(outcomes).isEmpty)
  }

  @Test("damaged outcomes are refused or read, and never end the process")
  func damage() throws {
    let devices = DeviceNumbers([2, 3, 4, 5])
    var packed = PackedOutcomes(devices: devices)
    _ = packed.merge(Self.outcomes)
    let bytes = packed.packed
    for length in 0..<bytes.count {
      #expect(PackedOutcomes(devices: devices, packed: Array(bytes.prefix(length))) == nil)
    }
    var random = SeededGenerator(seed: 1)
    for _ in 0..<10_000 {
      var damaged = bytes
      damaged[Int.random(in: 0..<bytes.count, using: &random)] = .random(
        in: 0...255, using: &random)
      _ = PackedOutcomes(devices: devices, packed: damaged)?.outcomes
      _ = PackedOutcomes.reasons(inPacked: damaged)
    }
  }
}
