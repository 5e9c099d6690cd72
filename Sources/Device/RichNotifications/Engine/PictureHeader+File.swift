import Foundation
import NotificationTemplates

extension PictureHeader {
  /// Reads the head of a PNG, GIF or JPEG file; `nil` for other files.
  init?(of file: URL) {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? handle.close() }
    self.init { offset, count in
      guard (try? handle.seek(toOffset: UInt64(offset))) != nil,
        let data = try? handle.read(upToCount: count), data.count == count
      else { return nil }
      return Array(data)
    }
  }
}
