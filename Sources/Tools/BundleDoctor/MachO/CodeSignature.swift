import Foundation

/// The code signature of an executable, which covers its bundle.
///
/// The signer's certificate is not checked. Source: `cs_blobs.h` of Apple's XNU.
package struct CodeSignature: Sendable {
  /// The signed identifier, which is the bundle id of an app.
  package var identifier: String?
  /// The developer team; `nil` if the signature is ad hoc.
  package var teamID: String?
  /// Whether it is an ad-hoc signature, like that of a simulator's build.
  package var isAdHoc = false
  /// The entitlements in XML, or those in DER if there are none in XML.
  package var entitlements: [String: PropertyList] = [:]
  /// Whether it has entitlements in DER, without which iOS 15 and later do not start the app.
  package var hasDEREntitlements = false
  package var hasXMLEntitlements = false
  /// The SHA-256 of the signed Info.plist.
  package var infoPlistHash: [UInt8]?

  package static let maximumBlobs = 64
  package static let maximumEntitlementBytes = 1 << 20

  init(_ file: ByteView) throws(MachOError) {
    guard try file.big(UInt32.self, at: 0) == 0xfade_0cc0 else {
      throw MachOError("its code signature has no valid header")
    }
    let whole = try file.part(at: 0, count: file.bigInt(at: 4))
    let count = try whole.bigInt(at: 8)
    guard count <= Self.maximumBlobs else {
      throw MachOError("its code signature claims \(count) parts; \(Self.maximumBlobs) are read")
    }
    for index in 0..<count {
      let slot = try whole.big(UInt32.self, at: 12 + index * 8)
      let offset = try whole.bigInt(at: 16 + index * 8)
      let blob = try whole.part(at: offset, count: whole.part(from: offset).bigInt(at: 4))
      try read(blob, slot: slot)
    }
  }

  private mutating func read(_ blob: ByteView, slot: UInt32) throws(MachOError) {
    switch try blob.big(UInt32.self, at: 0) {
    // Slot 0 is for old systems, and the alternate directories have stronger hashes.
    case 0xfade_0c02 where slot == 0 || 0x1000..<0x1006 ~= slot: try readDirectory(blob)
    case 0xfade_7171:
      let bytes = try Self.entitlements(blob, isFirst: !hasXMLEntitlements)
      hasXMLEntitlements = true
      entitlements = try PropertyList.dictionary(of: bytes, name: "its entitlements")
    case 0xfade_7172:
      let bytes = try Self.entitlements(blob, isFirst: !hasDEREntitlements)
      hasDEREntitlements = true
      let values = try DEREntitlements.read(bytes)
      if !hasXMLEntitlements { entitlements = values }
    default: break
    }
  }

  /// The bytes of an entitlements blob.
  ///
  /// Only one blob of each kind is allowed, because each of many blobs with the same bytes would be read.
  private static func entitlements(
    _ blob: ByteView, isFirst: Bool
  ) throws(MachOError) -> Data {
    guard isFirst else { throw MachOError("its code signature has entitlements twice") }
    let bytes = try blob.part(from: 8).bytes
    guard bytes.count <= maximumEntitlementBytes else {
      throw MachOError(
        "its entitlements have \(bytes.count) bytes; at most \(maximumEntitlementBytes) are read")
    }
    return bytes
  }

  private mutating func readDirectory(_ blob: ByteView) throws(MachOError) {
    let version = try blob.big(UInt32.self, at: 8)
    isAdHoc = try blob.big(UInt32.self, at: 12) & 0x2 != 0
    identifier = try blob.text(at: blob.bigInt(at: 20))
    if version >= 0x20200 {
      let offset = try blob.bigInt(at: 48)
      teamID = offset == 0 ? nil : try blob.text(at: offset)
    }
    // The hashes of special slots precede those of the pages. The last of them, slot 1, is the
    // Info.plist.
    let hashSize = try blob.part(at: 36, count: 1).bytes.first.map(Int.init) ?? 0
    let hashType = try blob.part(at: 37, count: 1).bytes.first
    if hashType == 2, hashSize == 32, try blob.bigInt(at: 24) >= 1 {
      let hash = try blob.part(at: blob.bigInt(at: 16) - hashSize, count: hashSize)
      infoPlistHash = hash.bytes.allSatisfy { $0 == 0 } ? nil : Array(hash.bytes)
    }
  }
}
