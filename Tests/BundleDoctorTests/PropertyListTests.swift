import BundleDoctor
import BundleFixtures
import Foundation
import Testing

@Suite("Property lists and profiles of strangers")
struct PropertyListTests {
  static let good: [String: PropertyList] = [
    "bool": true, "integer": 1, "text": "é", "data": .data(Data([1])), "real": .real(1.5),
    "date": .date(Date(timeIntervalSince1970: 1_800_000_000)), "array": [false, 0, "x"],
    "inner": ["a": ["b": []]],
  ]

  private func info(_ bytes: Data) -> Result<[String: PropertyList], MachOError> {
    Result { () throws(MachOError) in try PropertyList.dictionary(of: bytes, "it") }
  }

  @Test(
    "XML and binary say the same, truth and number apart",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func formats(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let bytes = try PropertyList.dictionary(Self.good).written(as: format)
    #expect(try info(bytes).get() == Self.good)
  }

  @Test("nesting beyond what is read is refused", arguments: [63, 64, 600, 100_000])
  func deep(_ levels: Int) throws {
    let open = String(repeating: "<array>", count: levels)
    let close = String(repeating: "</array>", count: levels)
    let text = "<plist><dict><key>a</key>\(open)\(close)</dict></plist>"
    let result = info(Data(text.utf8))
    #expect(((try? result.get()) != nil) == (levels < 64))
  }

  @Test("as many values as are read, and one more", arguments: [0, 1])
  func many(_ more: Int) throws {
    // The dictionary and the array are values too.
    let values = [PropertyList](repeating: "", count: PropertyList.maximumValues - 2 + more)
    let bytes = try PropertyList.dictionary(["a": .array(values)]).written(as: .binary)
    #expect(((try? info(bytes).get()) != nil) == (more == 0))
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
      var bytes = Array("bplist00".utf8)
      var offsets: [UInt8] = []
      for object in objects {
        offsets.append(UInt8(bytes.count))
        bytes += object
      }
      let table = UInt8(bytes.count)
      bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1]
      bytes += [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)] + [UInt8](repeating: 0, count: 8)
      bytes += [0, 0, 0, 0, 0, 0, 0, table]
      #expect(throws: MachOError.self) { try info(Data(bytes)).get() }
    }
  }

  @Test(
    "a profile grants what is equal, what its wildcard begins, and what it lists",
    arguments: [
      ("T.a", "T.a", true), ("T.*", "T.a.b", true), ("*", "x", true), ("T.a", "T.ab", false),
      ("T.a.*", "T.a", false), (["T.*", "g"], ["g", "T.x"], true), (["g"], ["g", "h"], false),
      ("T.*", ["T.x"], true), (["production"], "production", true), (true, true, true),
      (true, false, true), (false, true, false), (nil, true, false), (nil, false, true),
      (nil, "x", false), (1, "1", false),
    ] as [(PropertyList?, PropertyList, Bool)])
  func grants(_ granted: PropertyList?, _ claimed: PropertyList, _ isCovered: Bool) {
    #expect(ProvisioningProfile.covers(granted, claimed) == isCovered)
  }
}
