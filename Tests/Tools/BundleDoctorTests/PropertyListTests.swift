import BundleDoctor
import BundleFixtures
import Foundation
import Testing

@Suite("Untrusted property lists and profiles")
struct PropertyListTests {
  static let good: [String: PropertyList] = [
    "bool": true, "integer": 1, "text": "é", "data": .data(Data([1])), "real": .real(1.5),
    "date": .date(Date(timeIntervalSince1970: 1_800_000_000)), "array": [false, 0, "x"],
    "inner": ["a": ["b": []]],
  ]

  private func info(_ bytes: Data) -> Result<[String: PropertyList], MachOError> {
    Result { () throws(MachOError) in try PropertyList.dictionary(of: bytes, name: "it") }
  }

  @Test(
    "XML and binary give the same value, with Booleans and numbers apart",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func formats(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let bytes = try PropertyList.dictionary(Self.good).written(as: format)
    #expect(try info(bytes).get() == Self.good)
  }

  @Test("nesting above the limit is refused", arguments: [63, 64, 600, 100_000])
  func deep(_ levels: Int) throws {
    let open = String(repeating: "<array>", count: levels)
    let close = String(repeating: "</array>", count: levels)
    let text = "<plist><dict><key>a</key>\(open)\(close)</dict></plist>"
    let result = info(Data(text.utf8))
    #expect(((try? result.get()) != nil) == (levels < 64))
  }

  @Test("the most values that are read, and one more", arguments: [0, 1])
  func many(_ more: Int) throws {
    // The dictionary and the array are values too.
    let values = [PropertyList](repeating: "", count: PropertyList.maximumValues - 2 + more)
    let bytes = try PropertyList.dictionary(["a": .array(values)]).written(as: .binary)
    #expect(((try? info(bytes).get()) != nil) == (more == 0))
  }

  /// A binary list of these objects, the first of which is its top.
  private func binary(_ objects: [[UInt8]]) -> Data {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)]
      bytes += object
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [objects.count, 0, table] {
      bytes += withUnsafeBytes(of: UInt64(number).bigEndian, Array.init)
    }
    return Data(bytes)
  }

  @Test("a binary list that refers to itself, or doubles forty times, is refused")
  func references() throws {
    // Objects of one dictionary { "a": array }, then arrays that hold the next one twice.
    for isLoop in [true, false] {
      var objects: [[UInt8]] = [[0xd1, 1, 2], [0x51, 0x61]]
      let levels = isLoop ? 1 : 40
      for level in 0..<levels {
        let next = isLoop ? UInt8(2) : UInt8(level + 3)
        objects.append([0xa2, next, next])
      }
      objects.append([0x08])
      #expect(throws: MachOError.self) { try info(binary(objects)).get() }
    }
  }

  @Test("a key that occurs twice is refused")
  func twice() throws {
    let objects: [[UInt8]] = [[0xd2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x61], [0x08], [0x09]]
    let error = #expect(throws: MachOError.self) { try info(binary(objects)).get() }
    #expect(error?.message.contains("twice") == true)
  }

  @Test(
    "references to one long text count for the limit of bytes", arguments: [0, 1])
  func longText(_ more: Int) throws {
    // 128 times 64 kilobytes are eight megabytes; the key has one byte.
    let times = 128
    let length = PropertyList.maximumBytes / times
    let objects: [[UInt8]] = [
      [0xd1, 1, 2], [0x50 + UInt8(more), 0x61],
      [0xaf, 0x10, UInt8(times)] + [UInt8](repeating: 3, count: times),
      [0x5f, 0x12] + withUnsafeBytes(of: UInt32(length).bigEndian, Array.init)
        + [UInt8](repeating: 0x61, count: length),
    ]
    #expect(((try? info(binary(objects)).get()) != nil) == (more == 0))
  }

  @Test(
    "a profile grants an equal value, one that its wildcard matches, and one in its list",
    arguments: [
      ("T.a", "T.a", true), ("T.*", "T.a.b", true), ("*", "x", true), ("T.a", "T.ab", false),
      ("T.a.*", "T.a", false), (["T.*", "g"], ["g", "T.x"], true), (["g"], ["g", "h"], false),
      ("T.*", ["T.x"], true), (["production"], "production", true), (true, true, true),
      (true, false, true), (false, true, false), (nil, true, false), (nil, false, true),
      (nil, "x", false), (1, "1", false),
    ] as [(PropertyList?, PropertyList, Bool)])
  func grants(granted: PropertyList?, claimed: PropertyList, isCovered: Bool) {
    #expect(ProvisioningProfile.covers(granted, claimed) == isCovered)
  }
}
