/// The limits for reading an untrusted bundle; a bundle that exceeds one is refused.
package struct BundleLimits: Sendable {
  /// The files of a folder, or the entries of an archive.
  package var files = 200_000
  /// The extensions of an app; apps have at most about thirty.
  package var extensions = 200
  /// The bytes of an entry's path: `PATH_MAX` of Apple's systems.
  package var pathBytes = 1024
  /// The bytes that an archive may unpack to; the App Store allows an app 4 GB.
  package var unpackedBytes: UInt64 = 8_000_000_000
  /// The factor by which an archive may grow when it is unpacked to more than ``freeBytes``.
  ///
  /// Apps shrink to about a third, and images not at all; deflate can shrink to a thousandth.
  package var ratio: UInt64 = 100
  package var freeBytes: UInt64 = 16_000_000
  /// The bytes of one Info.plist.
  package var infoPlistBytes = PropertyList.maximumBytes
  /// The bytes of one provisioning profile.
  package var profileBytes = 4 << 20
  /// The bytes of all executables and libraries together, which stay in memory while rules are checked.
  package var codeBytes = 1 << 30

  package init() {}
}
