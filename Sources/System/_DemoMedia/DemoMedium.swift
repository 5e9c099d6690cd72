import CDemoMedia

/// A media file that the binary carries for `martlet demo`.
package struct DemoMedium: Sendable {
  package let name: String
  package let mimeType: String
  package let bytes: [UInt8]

  /// All embedded media files.
  package static let all: [DemoMedium] = {
    var media: [DemoMedium] = []
    while let raw = unsafe martlet_demo_medium(media.count) {
      unsafe media.append(
        DemoMedium(
          name: String(cString: raw.pointee.name), mimeType: String(cString: raw.pointee.type),
          bytes: Array(UnsafeBufferPointer(start: raw.pointee.bytes, count: raw.pointee.count))))
    }
    return media
  }()
}
