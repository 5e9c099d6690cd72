import BundleDoctor
import BundleFixtures
import Foundation
import TestSupport
import Testing

@Suite("What is read of a foreign bundle, at the limits")
struct LimitTests {
  private let folder = TemporaryFolder()

  /// The code of the error; `nil` where the input is read.
  private func refusal(
    _ url: URL, _ change: (inout BundleLimits) -> Void = { _ in }
  ) -> BundleError.Code? {
    var limits = BundleLimits()
    change(&limits)
    do {
      _ = try Inspection(path: url.path, now: RuleTests.now, limits: limits)
      return nil
    } catch { return error.code }
  }

  /// An archive of zeros.
  private func zeros(_ count: Int) throws -> URL {
    let url = folder.file("zeros.ipa")
    try ZipLayout.write([("Payload/Example.app/zeros", Data(count: count))], to: url)
    return url
  }

  @Test("as many entries or files as are counted, and one more")
  func files() throws {
    let archive = folder.file("files.ipa")
    let names = ["a", "b", "c"].map { "Payload/Example.app/" + $0 }
    try ZipLayout.write(names.map { ($0, Data([1])) }, to: archive)
    let app = folder.file("Files.app")
    try FileManager.default.createDirectory(at: app, withIntermediateDirectories: true)
    for name in ["a", "b", "c"] { try Data([1]).write(to: app.appending(path: name)) }
    for url in [archive, app] {
      #expect(refusal(url) { $0.files = 3 } == nil)
      #expect(refusal(url) { $0.files = 2 } == .tooLarge)
    }
  }

  @Test("as many entries as are read by default, and one more")
  func entries() throws {
    let url = folder.file("many.ipa")
    let count = BundleLimits().files
    for more in 0...1 {
      try Self.directory(count + more).write(to: url)
      #expect(refusal(url) == (more == 0 ? nil : .tooLarge))
    }
  }

  /// An archive of empty files, all of them with the same local header, as no packer makes one.
  private static func directory(_ count: Int) -> Data {
    var bytes: [UInt8] = []
    func header(_ signature: [UInt8], _ fields: [UInt8], name: String, _ rest: [UInt8] = []) {
      bytes += signature + fields + [UInt8](repeating: 0, count: 12)
      bytes += [UInt8(name.utf8.count), 0, 0, 0] + rest + Array(name.utf8)
    }
    func word(_ value: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(value >> ($0 * 8) & 0xff) }
    }
    let name = { (index: Int) in "Payload/Example.app/" + String(index + 1_000_000) }
    var offsets: [Int] = []
    for index in 0..<count {
      offsets.append(bytes.count)
      header([0x50, 0x4b, 3, 4], [10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0], name: name(index))
    }
    let start = bytes.count
    for (index, offset) in offsets.enumerated() {
      header(
        [0x50, 0x4b, 1, 2], [10, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0], name: name(index),
        [UInt8](repeating: 0, count: 10) + word(offset, 4))
    }
    let size = bytes.count - start
    let end = bytes.count
    // More than 65,535 entries need the directory of Zip64.
    bytes += [0x50, 0x4b, 6, 6] + word(44, 8) + [45, 0, 45, 0] + word(0, 8)
    bytes += word(count, 8) + word(count, 8) + word(size, 8) + word(start, 8)
    bytes += [0x50, 0x4b, 6, 7] + word(0, 4) + word(end, 8) + word(1, 4)
    bytes += [0x50, 0x4b, 5, 6] + word(0, 4) + word(0xffff, 2) + word(0xffff, 2)
    bytes += word(size, 4) + word(start, 4) + word(0, 2)
    return Data(bytes)
  }

  @Test("as many extensions as are read, and one more", arguments: [Inspection.Kind.app, .ipa])
  func extensions(_ container: Inspection.Kind) throws {
    var layout = AppLayout.good
    layout.container = container
    layout.extensions["PlugIns/Other.appex"] = .other("Other", point: "com.apple.share-services")
    let url = URL(filePath: try layout.write(in: folder.url))
    #expect(refusal(url) { $0.extensions = 2 } == nil)
    #expect(refusal(url) { $0.extensions = 1 } == .tooLarge)
  }

  @Test("a path as long as Apple's systems take, and one byte more", arguments: [0, 1])
  func path(_ more: Int) throws {
    let url = folder.file("path.ipa")
    let start = "Payload/Example.app/"
    let name = start + String(repeating: "x", count: 1024 - start.count + more)
    try ZipLayout.write([(name, Data([1]))], to: url)
    #expect(refusal(url) == (more == 0 ? nil : .unsafe))
  }

  @Test("as many unpacked bytes as are taken, and one more")
  func unpacked() throws {
    let url = try zeros(1000)
    #expect(refusal(url) { $0.unpackedBytes = 1000 } == nil)
    #expect(refusal(url) { $0.unpackedBytes = 999 } == .tooLarge)
  }

  @Test("as dense as an archive may be, and denser; up to the free bytes it may be any")
  func ratio() throws {
    let count = 200_000
    let url = try zeros(count)
    let size = try #require(try url.resourceValues(forKeys: [.fileSizeKey]).fileSize)
    let ratio = UInt64(count / size)
    #expect(ratio > 100)
    for (allowed, free, isRefused) in [
      (ratio, 0, false), (ratio - 1, 0, true), (0, count, false), (0, count - 1, true),
    ] {
      let code = refusal(url) {
        $0.ratio = allowed
        $0.freeBytes = UInt64(free)
      }
      #expect(code == (isRefused ? .tooLarge : nil))
    }
  }

  @Test(
    "a file at the size limit and one byte above it, in every container",
    arguments: [Inspection.Kind.app, .ipa],
    ["Info.plist", "embedded.mobileprovision", "executable"])
  func bytes(_ container: Inspection.Kind, _ name: String) throws {
    var layout = AppLayout.good
    layout.container = container
    let contents = try layout.contents()
    let url = URL(filePath: try layout.write(in: folder.url))
    let code = contents.values.filter { $0.starts(with: [0xcf, 0xfa, 0xed, 0xfe]) }.map(\.count)
    #expect(code.count == 2)
    let largest =
      name == "executable"
      ? code.reduce(0, +) : contents.filter { $0.key.hasSuffix(name) }.map(\.value.count).max()
    let limit = try #require(largest)
    for (bytes, expected) in [(limit, nil), (limit - 1, BundleError.Code.tooLarge)] {
      let code = refusal(url) {
        switch name {
        case "Info.plist": $0.infoPlistBytes = bytes
        case "executable": $0.codeBytes = bytes
        default: $0.profileBytes = bytes
        }
      }
      #expect(code == expected)
    }
  }

  @Test("a property list at the size limit and one byte above it", arguments: [0, 1])
  func propertyList(_ more: Int) {
    let (start, end) = ("<plist><dict>", "</dict></plist>")
    let count = PropertyList.maximumBytes - start.count - end.count + more
    let text = start + String(repeating: " ", count: count) + end
    let list = try? PropertyList.dictionary(of: Data(text.utf8), name: "it")
    #expect((list == [:]) == (more == 0))
  }
}

@Suite("The limits of an executable")
struct ExecutableLimitTests {
  private func isRead(_ bytes: [UInt8]) -> Bool { (try? MachO(Data(bytes))) != nil }

  /// A header and load commands.
  private func thin(_ commands: [[UInt8]] = [], then rest: [UInt8] = []) -> [UInt8] {
    let all = commands.flatMap(\.self)
    let words: [Int] = [0x0100_000c, 0, 2, commands.count, all.count, 0, 0]
    return [0xcf, 0xfa, 0xed, 0xfe] + words.flatMap { little($0) } + all + rest
  }

  /// An executable whose signature has these blobs.
  private func signed(_ blobs: [[UInt8]], times: Int = 1) -> [UInt8] {
    var index: [UInt8] = []
    var offset = 12 + 8 * blobs.count
    for blob in blobs {
      index += big(0x10000) + big(offset)
      offset += blob.count
    }
    let signature = big(0xfade_0cc0) + big(offset) + big(blobs.count) + index
    let place = 32 + 16 * times
    let command = little(0x1d) + little(16) + little(place) + little(offset)
    return thin(
      Array(repeating: command, count: times), then: signature + blobs.flatMap(\.self))
  }

  private func blob(_ magic: Int, _ content: [UInt8] = []) -> [UInt8] {
    big(magic) + big(8 + content.count) + content
  }

  private func entitlements(padding: Int = 0) -> [UInt8] {
    Array(("<plist><dict>" + String(repeating: " ", count: padding) + "</dict></plist>").utf8)
  }

  @Test("load commands", arguments: [0, 1])
  func commands(_ more: Int) {
    let count = MachO.maximumCommands + more
    let commands = Array(repeating: little(0) + little(8), count: count)
    #expect(isRead(thin(commands)) == (more == 0))
  }

  @Test("architectures", arguments: [0, 1])
  func slices(_ more: Int) {
    let count = MachO.maximumSlices + more
    let slice = thin()
    let entry = big(0) + big(0) + big(8 + 20 * count) + big(slice.count) + big(0)
    let entries = Array(repeating: entry, count: count).flatMap(\.self)
    #expect(isRead(big(0xcafe_babe) + big(count) + entries + slice) == (more == 0))
  }

  @Test("parts of a signature", arguments: [0, 1])
  func blobs(_ more: Int) {
    let count = CodeSignature.maximumBlobs + more
    #expect(isRead(signed(Array(repeating: blob(0), count: count))) == (more == 0))
  }

  @Test("bytes of entitlements", arguments: [0, 1])
  func entitlementBytes(_ more: Int) {
    let padding = CodeSignature.maximumEntitlementBytes - entitlements().count + more
    #expect(isRead(signed([blob(0xfade_7171, entitlements(padding: padding))])) == (more == 0))
  }

  @Test("levels of entitlements in DER", arguments: [-1, 0])
  func entitlementDepth(_ more: Int) {
    var value: PropertyList = true
    for _ in 0..<DEREntitlements.maximumDepth - 1 + more { value = [value] }
    let bytes = Data(PropertyList.dictionary(["a": value]).der)
    #expect(((try? DEREntitlements.read(bytes)) != nil) == (more < 0))
  }

  @Test("a second signature or a second blob of entitlements is refused")
  func twice() {
    let blob = blob(0xfade_7171, entitlements())
    #expect(isRead(signed([blob])))
    #expect(!isRead(signed([blob, blob])))
    #expect(!isRead(signed([blob], times: 2)))
    let der = self.blob(0xfade_7172, PropertyList.dictionary([:]).der)
    #expect(isRead(signed([blob, der])))
    #expect(!isRead(signed([der, der])))
  }

  private func big(_ value: Int) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, Array.init)
  }
  private func little(_ value: Int) -> [UInt8] { big(value).reversed() }
}
