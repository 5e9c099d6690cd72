import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

/// Mutations of each format that the doctor parses; `Fuzz/Bundles.swift` looks for rare ones.
@Suite("Mutated bundles are read or refused, and never trap")
struct MutationTests {
  static let rounds = Tier.mutations(100, of: 300, cost: 10)

  /// Copies with one to six bytes changed, or truncated.
  private func mutations(
    of bytes: Data, _ seed: UInt64, cutting: Bool = true, _ body: (Data) throws -> Void
  ) rethrows {
    var random = SeededGenerator(seed: seed)
    let places = Self.places(in: bytes)
    for _ in 0..<Self.rounds {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        guard let index = places.randomElement(using: &random) else { continue }
        let values = [
          0, 0xff, bytes[index] ^ 1, bytes[index] ^ 0x80, .random(in: 0...255, using: &random),
        ]
        changed[index] = values.randomElement(using: &random) ?? 0
      }
      if cutting, Int.random(in: 0..<8, using: &random) == 0 {
        changed = changed.prefix(places.randomElement(using: &random) ?? 0)
      }
      try body(changed)
    }
  }

  /// The offsets near bytes that are not zero; the padding between pages is not mutated.
  static func places(in bytes: Data) -> [Int] {
    var last = -17
    var next = bytes.count
    var distance = [Int](repeating: 0, count: bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte != 0 && byte != 0xaa { last = index }
      distance[index] = index - last
    }
    for index in distance.indices.reversed() {
      if distance[index] == 0 { next = index }
      distance[index] = min(distance[index], next - index)
    }
    return distance.indices.filter { distance[$0] <= 16 }
  }

  @Test("executables and their signatures", arguments: [["arm64"], ["arm64", "x86_64"]])
  func executables(_ architectures: [String]) throws {
    var layout = MachOTests.layout()
    layout.architectures = architectures
    let good = Data(try layout.bytes(infoPlist: Data()))
    var read = 0
    mutations(of: good, 7) { if (try? MachO($0)) != nil { read += 1 } }
    #expect(read > 0)
  }

  @Test(
    "property lists", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func propertyLists(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let good = try PropertyList.dictionary(PropertyListTests.good).written(as: format)
    mutations(of: good, 3) { _ = try? PropertyList.dictionary(of: $0, name: "it") }
  }

  @Test("provisioning profiles")
  func profiles() throws {
    let good = Data(try ProfileLayout(entitlements: ["get-task-allow": true]).bytes())
    let folder = TemporaryFolder()
    let app = folder.file("Example.app")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    try mutations(of: good, 5) { bytes in
      try bytes.write(to: app.appending(path: "embedded.mobileprovision"))
      let profile = try Inspection(path: app.path, now: RuleTests.now).app?.profile
      if bytes.count < good.count { #expect((try? profile?.get()) == nil) }
    }
  }

  @Test("archives of whole apps, checked by every rule")
  func archives() throws {
    let folder = TemporaryFolder()
    var layout = AppLayout.good
    layout.container = .ipa
    let good = try Data(contentsOf: URL(filePath: layout.write(in: folder.url)))
    let url = folder.file("changed.ipa")
    var refused = 0
    try mutations(of: good, 11) { bytes in
      try bytes.write(to: url)
      do throws(BundleError) {
        _ = BundleDoctor().examine(try Inspection(path: url.path, now: RuleTests.now))
      } catch { refused += 1 }
    }
    #expect(refused > 0)
  }
}
