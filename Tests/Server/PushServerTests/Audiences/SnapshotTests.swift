import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing
import _Bitmaps

@testable import PushServer

@Suite("Snapshots of audience indexes", .timeLimit(.minutes(10)))
struct SnapshotTests {
  private static let key = HashKey(first: 1, second: 2)

  /// The bytes of a shard with random devices.
  private static func shard(devices: Int = 300) throws -> [UInt8] {
    var random = RandomAudience(seed: 1)
    var index = AudienceIndex(key: key)
    index.update((1...devices).map { random.device(UInt32($0)) })
    return try bytes { try SnapshotFolder.encode(index, shard: 0, app: "app", into: &$0) }
  }

  private static func bytes(_ body: (inout SnapshotWriter) throws -> Void) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try withExtendedLifetime(Collector()) { collector in
      var writer = SnapshotWriter { collector.bytes += $0 }
      try body(&writer)
      try writer.finish()
      bytes = collector.bytes
    }
    return bytes
  }

  private final class Collector { var bytes: [UInt8] = [] }

  private static func read(_ bytes: [UInt8], app: String = "app", shard: Int = 0) throws {
    _ = try SnapshotFolder.shard(shard, in: FixedBytes(bytes), app: app, key: key)
  }

  @Test(
    "an index that was written and read selects the same devices, also after changes",
    arguments: 1...3 as ClosedRange<UInt64>)
  func oracle(seed: UInt64) throws {
    var random = RandomAudience(seed: seed)
    var devices: [UInt32: Device] = [:]
    var index = AudienceIndex(key: Self.key)
    for round in 0..<4 {
      let changed = (0..<80).map { random.device(UInt32(round % 2 * 65500 + $0 + 1)) }
      index.update(changed)
      for device in changed { devices[device.number] = device }
      let gone = devices.keys.filter { $0 % 37 == 0 }
      index.remove(Bitmap(gone))
      for number in gone { devices[number] = nil }
      let bytes = try Self.bytes {
        try SnapshotFolder.encode(index, shard: 0, app: "app", into: &$0)
      }
      index = try SnapshotFolder.shard(0, in: FixedBytes(bytes), app: "app", key: Self.key)
      let named = index.byLocale(index.installed).compactMap(\.locale)
      #expect(named == ["de_de", "en_us", "fr"])
      for _ in 0..<20 {
        let filters = random.filters()
        let naive = NaiveAudience(filters: filters, now: RandomAudience.now)
        let found = index.devices(
          passing: filters, at: RandomAudience.now, among: index.installed)
        #expect(
          found.elements == devices.values.filter(naive.admits).map(\.number).sorted(),
          "\(filters)")
      }
    }
  }

  @Test("a shard selects what one index would, over the border of two shards")
  func shards() {
    let border = UInt32(ShardedIndex.shardSize)
    var index = ShardedIndex()
    index.update(MemoryLog.devices(border - 2...border + 1))
    let all = index.devices(passing: [], at: RandomAudience.now, among: .reachable)
    #expect(all.elements == [border - 2, border - 1, border, border + 1])
    #expect(index.shards.map { $0.index.known.count } == [2, 2])
    index.remove(Bitmap([border - 1]))
    let one = Filter(
      field: .builtIn(.userID), criteria: [.equals(.string("user-\(border)"))], isNegated: true)
    let others = index.devices(passing: [one], at: RandomAudience.now, among: .installed)
    #expect(others.elements == [border - 2, border + 1])
    #expect(index.count(passing: DeviceQuery([one]), at: RandomAudience.now).targeted == 2)
    #expect(index.byTimeZone(all).map(\.devices) == [all])
    #expect(index.count == 3)
  }

  /// A damage of each class of bytes: where it is, counted from the start or from the end.
  static let damages: [(String, Int)] = [
    ("the first section", 0), ("the last word of the directory", -72), ("the mark", -64),
    ("the version", -56), ("the directory's place", -48), ("the directory's length", -40),
    ("the checksum", -32), ("the zeros after it", -1),
  ]

  @Test("a damaged byte is found", arguments: damages)
  func damage(name: String, place: Int) throws {
    var bytes = try Self.shard()
    try Self.read(bytes)
    bytes[place < 0 ? bytes.count + place : place] ^= 1
    #expect(throws: SnapshotError.self, "\(name)") { try Self.read(bytes) }
  }

  private static func manifest(device: UInt64 = 7) throws -> [UInt8] {
    try bytes { snapshot in
      for text in ["manifest", "app"] { snapshot.add(text: text) }
      for number in [key.first, key.second, 3, 1, device, 2] { snapshot.add(number: number) }
      for file in ["0-file", ""] { snapshot.add(text: file) }
    }
  }

  private static func readManifest(_ bytes: [UInt8]) throws -> SnapshotFolder.Manifest {
    try SnapshotFolder.manifest(in: FixedBytes(bytes), app: "app")
  }

  @Test("a shard with a byte changed and a manifest with any are not believed")
  func everyByte() throws {
    let (shard, manifest) = (try Self.shard(devices: 3), try Self.manifest())
    try Self.read(shard)
    #expect(try Self.readManifest(manifest).files == ["0-file", ""])
    // The checksum is over the whole, which is large.
    let step = max(1, shard.count / Tier.sample(200, of: 2000))
    for bit in [0x01, 0x80] as [UInt8] {
      for index in stride(from: 0, to: shard.count, by: step) {
        var changed = shard
        changed[index] ^= bit
        #expect(throws: SnapshotError.self, "byte \(index)") { try Self.read(changed) }
      }
      for index in manifest.indices {
        var changed = manifest
        changed[index] ^= bit
        #expect(throws: SnapshotError.self, "byte \(index)") { try Self.readManifest(changed) }
      }
    }
    for length in manifest.indices {
      #expect(throws: SnapshotError.self) {
        try Self.readManifest(Array(manifest.prefix(length)))
      }
    }
  }

  @Test("a file of another version is not read, though its checksum is right", arguments: [2, 4])
  func version(number: UInt8) throws {
    for bytes in [try Self.shard(devices: 3), try Self.manifest()] {
      var changed = bytes
      changed[bytes.count - 56] = number
      let error = #expect(throws: SnapshotError.self) {
        try Self.read(SnapshotWriter.sealed(changed))
      }
      #expect(error?.description.contains("it has the version \(number)") == true)
    }
  }

  @Test(
    "a manifest names no device beyond the last number",
    arguments: [(UInt64(UInt32.max), true), (UInt64(UInt32.max) + 1, false)])
  func lastDevice(number: UInt64, isRead: Bool) throws {
    let bytes = try Self.manifest(device: number)
    #expect(((try? Self.readManifest(bytes)) != nil) == isRead)
  }

  @Test("a snapshot that is cut off, foreign or of another shard is not believed")
  func foreign() throws {
    let bytes = try Self.shard()
    for length in [0, 1, 31, 32, 63, 64, 96, bytes.count / 2, bytes.count - 32, bytes.count - 1] {
      #expect(throws: SnapshotError.self) { try Self.read(Array(bytes.prefix(length))) }
    }
    #expect(throws: SnapshotError.self) { try Self.read(bytes + bytes) }
    #expect(throws: SnapshotError.self) { try Self.read(bytes, app: "other") }
    #expect(throws: SnapshotError.self) { try Self.read(bytes, shard: 1) }
    let otherKey = HashKey(first: 1, second: 3)
    #expect(throws: SnapshotError.self) {
      try SnapshotFolder.shard(0, in: FixedBytes(bytes), app: "app", key: otherKey)
    }
    #expect(throws: SnapshotError.self) {
      try SnapshotFolder.manifest(in: FixedBytes(bytes), app: "app")
    }
  }

  @Test("no bytes with a right checksum crash the reader")
  func mutation() throws {
    let bytes = try Self.shard(devices: 60)
    var random = SeededGenerator(seed: 3)
    var read = 0
    for _ in 0..<150 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count - 64, using: &random)
        changed[place] = .random(in: 0...255, using: &random)
      }
      let sealed = SnapshotWriter.sealed(changed)
      guard
        let index = try? SnapshotFolder.shard(
          0, in: FixedBytes(sealed), app: "app", key: Self.key)
      else { continue }
      read += 1
      var random = RandomAudience(seed: 5)
      var written = index
      written.update((1...5).map { random.device($0) })
      for _ in 0..<3 {
        let filters = random.filters()
        _ = written.devices(passing: filters, at: RandomAudience.now, among: index.installed)
      }
      _ = try Self.bytes { try SnapshotFolder.encode(written, shard: 0, app: "app", into: &$0) }
    }
    // Otherwise the bytes were refused before they were read.
    #expect(read > 0)
  }

  @Test("versions are the same after they were written as text")
  func versions() {
    let texts = AudienceIndexTests.ordered.flatMap(\.self) + ["", ".", "1.", "1.x", "1.0.0x", "-1"]
    for text in texts { #expect(Version(Version(text).text) == Version(text)) }
  }

  @Test("texts that are equal have one hash, and the hash is that of SipHash-1-3")
  func hashes() {
    #expect(TextHash("\u{e9}", Self.key) == TextHash("e\u{301}", Self.key))
    #expect(TextHash("a", Self.key) != TextHash("a", HashKey(first: 2, second: 1)))
    // The first test vector of the reference implementation, whose key is the bytes from 0 to 15.
    let key = HashKey(first: 0x0706_0504_0302_0100, second: 0x0f0e_0d0c_0b0a_0908)
    #expect(TextHash("", key).bits == 0xabac_0158_050f_c4dc)
  }

  @Test("a snapshot is due after enough changes or time, and not too often")
  func schedule() {
    let schedule = SnapshotSchedule()
    let now = RandomAudience.now
    func isDue(_ changes: Int, _ devices: Int, _ passed: Duration? = .seconds(60)) -> Bool {
      schedule.isDue(
        changes: changes, devices: devices, lastSave: passed.map { now + (.zero - $0) }, now: now)
    }
    #expect(isDue(1, 10_000, nil) && !isDue(1, 9999, nil) && !isDue(0, 10_000, nil))
    #expect(isDue(16_384, 20_000) && !isDue(16_383, 20_000))
    #expect(isDue(31_250, 1_000_000) && !isDue(31_249, 1_000_000))
    #expect(isDue(262_144, 100_000_000) && !isDue(262_143, 100_000_000))
    #expect(isDue(16_384, 20_000, .seconds(20)) && !isDue(16_384, 20_000, .milliseconds(19_999)))
    #expect(isDue(1, 20_000, .seconds(86_400)) && !isDue(1, 20_000, .seconds(86_399)))
    #expect(isDue(16_384, 20_000, .seconds(-5)))
    func isDueAtEnd(_ changes: Int, _ devices: Int, after passed: Duration?) -> Bool {
      schedule.isDue(
        changes: changes, devices: devices, lastSave: passed.map { now + (.zero - $0) }, now: now,
        isLast: true)
    }
    #expect(isDueAtEnd(16_384, 100_000_000, after: .zero))
    #expect(!isDueAtEnd(16_383, 100_000_000, after: .seconds(60)))
    #expect(isDueAtEnd(1, 10_000, after: nil) && !isDueAtEnd(0, 10_000, after: nil))
  }
}
