/// The most that is read of an untrusted bundle; what has more is refused.
package struct BundleLimits: Sendable {
  /// Files of a folder, or entries of an archive.
  package var files = 200_000
  /// Extensions of an app; those with the most have about thirty.
  package var extensions = 200
  /// Bytes of an entry's path: `PATH_MAX` of Apple's systems.
  package var pathBytes = 1024
  /// Bytes that an archive may unpack to; the App Store allows an app 4 GB.
  package var unpackedBytes: UInt64 = 8_000_000_000
  /// How many times its size an archive may unpack to, where that is more than ``freeBytes``.
  ///
  /// Apps shrink to about a third, images not at all; deflate reaches a thousandth.
  package var ratio: UInt64 = 100
  package var freeBytes: UInt64 = 16_000_000
  /// Bytes of one Info.plist.
  package var infoPlistBytes = PropertyList.maximumBytes
  /// Bytes of one provisioning profile.
  package var profileBytes = 4 << 20
  /// Bytes of all executables and libraries together, which stay in memory while rules are checked.
  package var codeBytes = 1 << 30

  package init() {}
}
