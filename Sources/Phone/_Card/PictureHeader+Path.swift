import Glibc
import NotificationTemplates

extension PictureHeader {
  /// Reads the head of a PNG, GIF or JPEG file without Foundation, which the program that draws cards does not load.
  init?(file path: String) {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    self.init { offset, count in
      var bytes = [UInt8](repeating: 0, count: count)
      guard unsafe fseek(file, offset, SEEK_SET) == 0, unsafe fread(&bytes, 1, count, file) == count
      else { return nil }
      return bytes
    }
  }
}
