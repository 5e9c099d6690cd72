import CWebAssets

/// A file of the dashboard, embedded in the binary.
package struct WebAsset: Sendable {
  package let name: String
  package let mimeType: String
  package let bytes: [UInt8]
  /// The bytes in the gzip format.
  package let gzip: [UInt8]

  /// All files; each is compressed once.
  package static let all: [WebAsset] = {
    var assets: [WebAsset] = []
    while let raw = unsafe martlet_web_asset(assets.count) {
      let bytes = unsafe Array(
        UnsafeBufferPointer(start: raw.pointee.bytes, count: raw.pointee.count))
      unsafe assets.append(
        WebAsset(
          name: String(cString: raw.pointee.name), mimeType: String(cString: raw.pointee.type),
          bytes: bytes, gzip: Gzip.compressed(bytes)))
    }
    return assets
  }()
}
