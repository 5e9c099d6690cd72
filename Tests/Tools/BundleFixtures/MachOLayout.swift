package import BundleDoctor
package import Foundation
import _OpenSSLCrypto

/// A small executable with header, segments, load commands, class names and signature.
package struct MachOLayout: Sendable {
  package var architectures = ["arm64"]
  package var platform: UInt32 = 2
  package var minimumSystem = (16, 0)
  package var libraries: [String] = []
  package var searchPaths = ["@executable_path/../../Frameworks"]
  package var classNames: [String] = []
  package var isEncrypted = false
  package var signature: SignatureLayout?

  package init() {}

  package func bytes(infoPlist: Data) throws -> [UInt8] {
    let slices = try architectures.map { try slice($0, infoPlist) }
    guard slices.count > 1 else { return slices.first ?? [] }
    var head = big(0xcafe_babe) + big(slices.count)
    var body: [UInt8] = []
    for (architecture, slice) in zip(architectures, slices) {
      let offset = 4096 + body.count
      let (type, subtype) = Self.processor(architecture)
      head += big(type) + big(subtype) + big(offset) + big(slice.count) + big(12)
      body += padded(slice, to: 4096)
    }
    return padded(head, to: 4096) + body
  }

  private func slice(_ architecture: String, _ infoPlist: Data) throws -> [UInt8] {
    let names: [UInt8] = classNames.reduce([0]) { $0 + Array($1.utf8) + [0] }
    let textStart = 4096
    let codeLimit = textStart + padded(names, to: 4096).count
    let blob = try signature?.bytes(infoPlist: infoPlist, codeLimit: codeLimit) ?? []

    var commands: [[UInt8]] = [
      segment(
        "__TEXT", offset: 0, size: codeLimit, section: ("__objc_classname", textStart, names)),
      segment("__LINKEDIT", offset: codeLimit, size: blob.count, section: nil),
      little(0x32) + little(24) + little(platform)
        + little(minimumSystem.0 << 16 | minimumSystem.1 << 8) + little(18 << 16) + little(0),
    ]
    commands += libraries.map { text in
      command(
        0xc, fields: little(24) + little(2) + little(0x10000) + little(0x10000), text: text)
    }
    commands += searchPaths.map { command(0x8000_001c, fields: little(12), text: $0) }
    if isEncrypted {
      commands.append(
        little(0x2c) + little(24) + little(4096) + little(4096) + little(1) + little(0))
    }
    if !blob.isEmpty {
      commands.append(little(0x1d) + little(16) + little(codeLimit) + little(blob.count))
    }
    let all = commands.flatMap(\.self)
    let (type, subtype) = Self.processor(architecture)
    let header =
      little(0xfeed_facf) + little(type) + little(subtype) + little(2) + little(commands.count)
      + little(all.count) + little(0x0020_0085) + little(0)
    return padded(header + all, to: 4096) + padded(names, to: 4096) + blob
  }

  private func command(_ number: Int, fields: [UInt8], text: String) -> [UInt8] {
    let body = padded(fields + Array(text.utf8) + [0], to: 8)
    return little(number) + little(8 + body.count) + body
  }

  private func segment(
    _ name: String, offset: Int, size: Int, section: (name: String, offset: Int, bytes: [UInt8])?
  ) -> [UInt8] {
    let base = 0x1_0000_0000 + offset
    var bytes =
      fixed(name) + little64(base) + little64((size + 4095) & ~4095) + little64(offset)
      + little64(size) + little(5) + little(5) + little(section == nil ? 0 : 1) + little(0)
    if let section {
      bytes += fixed(section.name) + fixed(name) + little64(base + section.offset)
      bytes += little64(section.bytes.count) + little(section.offset) + little(0) + little(0)
      bytes += little(0) + little(2) + little(0) + little(0) + little(0)
    }
    return little(0x19) + little(8 + bytes.count) + bytes
  }

  private static func processor(_ name: String) -> (Int, Int) {
    switch name {
    case "arm64e": (0x0100_000c, 2)
    case "x86_64": (0x0100_0007, 3)
    case "armv7": (12, 9)
    default: (0x0100_000c, 0)
    }
  }
}

/// A code signature with a directory, entitlements in both forms and an empty CMS.
package struct SignatureLayout: Sendable {
  package var identifier: String
  package var teamID = "TEAM123456"
  package var isAdHoc = false
  package var entitlements: [String: PropertyList]
  package var hasXML = true
  package var hasDER = true

  package init(identifier: String, entitlements: [String: PropertyList]) {
    self.identifier = identifier
    self.entitlements = entitlements
  }

  func bytes(infoPlist: Data, codeLimit: Int) throws -> [UInt8] {
    let claims = PropertyList.dictionary(entitlements)
    var blobs: [(slot: Int, bytes: [UInt8])] = []
    if hasXML { blobs.append((5, blob(0xfade_7171, Array(try claims.written(as: .xml))))) }
    if hasDER { blobs.append((7, blob(0xfade_7172, claims.der))) }
    blobs.append((0x10000, blob(0xfade_0b01, [])))
    blobs.insert((0, directory(infoPlist: infoPlist, codeLimit: codeLimit, covering: blobs)), at: 0)
    var offset = 12 + blobs.count * 8
    var index: [UInt8] = []
    for blob in blobs {
      index += big(blob.slot) + big(offset)
      offset += blob.bytes.count
    }
    return big(0xfade_0cc0) + big(offset) + big(blobs.count) + index + blobs.flatMap(\.bytes)
  }

  private func directory(
    infoPlist: Data, codeLimit: Int, covering blobs: [(slot: Int, bytes: [UInt8])]
  ) -> [UInt8] {
    let name = Array(identifier.utf8) + [0]
    let team = isAdHoc ? [] : Array(teamID.utf8) + [0]
    var special = [[UInt8]](repeating: [UInt8](repeating: 0, count: 32), count: 7)
    special[0] = OpenSSLCrypto.sha256(Array(infoPlist))
    for blob in blobs where blob.slot <= 7 {
      special[blob.slot - 1] = OpenSSLCrypto.sha256(blob.bytes)
    }
    let pages = codeLimit / 4096
    let hashes = 88 + name.count + team.count + 7 * 32
    let fields: [Int] = [
      0x20400, isAdHoc ? 2 : 0, hashes, 88, 7, pages, codeLimit,
    ]
    let head =
      fields.flatMap { big($0) } + [32, 2, 0, 12] + big(0) + big(0)
      + big(isAdHoc ? 0 : 88 + name.count) + [UInt8](repeating: 0, count: 36)
    return blob(
      0xfade_0c02,
      head + name + team + special.reversed().flatMap(\.self)
        + [UInt8](repeating: 0xaa, count: pages * 32))
  }

  private func blob(_ magic: Int, _ content: [UInt8]) -> [UInt8] {
    big(magic) + big(content.count + 8) + content
  }
}

private func big(_ value: Int) -> [UInt8] {
  withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).bigEndian, Array.init)
}
private func little(_ value: some BinaryInteger) -> [UInt8] {
  withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian, Array.init)
}
private func little64(_ value: Int) -> [UInt8] {
  withUnsafeBytes(of: UInt64(value).littleEndian, Array.init)
}
private func fixed(_ text: String) -> [UInt8] {
  Array((Array(text.utf8) + [UInt8](repeating: 0, count: 16)).prefix(16))
}
private func padded(_ bytes: [UInt8], to size: Int) -> [UInt8] {
  bytes + [UInt8](repeating: 0, count: (size - bytes.count % size) % size)
}
