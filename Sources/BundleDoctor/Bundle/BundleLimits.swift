/// What is read of a foreign bundle before it is refused.
package struct BundleLimits: Sendable {
  /// Files of a folder, entries of an archive.
  package var files = 200_000
  /// Bytes of an entry's path, as Apple's systems have them at most.
  package var pathBytes = 1024
  /// Bytes that an archive may unpack to; an app of the App Store may have four thousand million.
  package var unpackedBytes: UInt64 = 8_000_000_000
  /// How many times its size an archive may unpack to, once that is more than ``freeBytes``.
  ///
  /// Apps pack to a third, pictures not at all; deflate ends at a thousand.
  package var ratio: UInt64 = 100
  package var freeBytes: UInt64 = 16_000_000
  /// Bytes of one Info.plist.
  package var infoPlistBytes = PropertyList.maximumBytes
  /// Bytes of one provisioning profile.
  package var profileBytes = 4 << 20
  /// Bytes of all executables and libraries together, which are held while rules look at them.
  package var codeBytes = 1 << 30

  package init() {}
}
