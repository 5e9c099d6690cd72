import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

/// The seeds of `Fuzz/Bundles.swift`: one small file of each kind.
@Suite("The seeds of the fuzzer")
struct SeedTests {
  /// An executable of load commands and a signature, and that signature.
  private static func executable() throws -> (whole: Data, signature: Data) {
    let bytes = Data(try MachOTests.layout().bytes(infoPlist: Data([1])))
    let magic = Data([0xfa, 0xde, 0x0c, 0xc0])
    let start = try #require(bytes.range(of: magic)?.lowerBound)
    let signature = Data(bytes[start...])
    let (segments, size) = try #require(commands(in: bytes))
    var head = Data(bytes.prefix(32))
    head.replaceSubrange(16..<20, with: little(segments.count))
    head.replaceSubrange(20..<24, with: little(size))
    let place = 32 + size
    let all = segments.map { command in
      guard command.starts(with: [0x1d, 0, 0, 0]) else { return command }
      return command.prefix(8) + little(place) + little(signature.count)
    }
    return (head + all.joined() + signature, signature)
  }

  /// The load commands but segments, and their bytes together.
  private static func commands(in bytes: Data) -> ([Data], Int)? {
    var rest = bytes.dropFirst(32)
    var commands: [Data] = []
    while let size = rest.dropFirst(4).first, size >= 8 {
      let command = Data(rest.prefix(Int(size)))
      if command.first != 0x19 { commands.append(command) }
      rest = rest.dropFirst(Int(size))
    }
    return (commands, commands.map(\.count).reduce(0, +))
  }

  private static func little(_ value: Int) -> Data {
    withUnsafeBytes(of: UInt32(value).littleEndian) { Data($0) }
  }

  @Test("the parsers read every seed; RECORD_SEEDS=1 writes them again")
  func seeds() throws {
    if ProcessInfo.processInfo.environment["RECORD_SEEDS"] == "1" {
      let list = PropertyList.dictionary(PropertyListTests.good)
      let (executable, signature) = try Self.executable()
      let folder = Fixtures.url("bundles")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, bytes) in [
        ("xml.plist", try list.written(as: .xml)), ("binary.plist", try list.written(as: .binary)),
        ("executable", executable), ("signature", signature),
        ("entitlements.der", Data(PropertyList.dictionary(MachOTests.claims).der)),
      ] { try bytes.write(to: folder.appending(path: name)) }
    }
    func bytes(_ name: String) throws -> Data { Data(try Fixtures.bytes("bundles/" + name)) }
    for name in ["xml.plist", "binary.plist"] {
      #expect(try PropertyList.dictionary(of: bytes(name), name: name) == PropertyListTests.good)
    }
    let slice = try #require(try MachO(bytes("executable")).slices.first)
    #expect(slice.signature?.entitlements == MachOTests.claims)
    #expect(slice.platform == .iOS && slice.libraries.count == 2 && slice.searchPaths.count == 1)
    #expect(try DEREntitlements.read(bytes("entitlements.der")) == MachOTests.claims)
  }
}
