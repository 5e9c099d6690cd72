import Synchronization

/// What a card is made of that stays while somebody writes it: decoded pictures, and the wallpaper.
///
/// A picture of many pixels takes longer to decode than all the rest takes to draw, and of the rest the
/// wallpaper's gradients take half.
package final class PictureCache: Sendable {
  enum Key: Hashable {
    case file(String, FileStamp, longestSide: Int)
    case wallpaper(CardStyle.Appearance, width: Int, height: Int, scale: Double)
  }

  private struct State {
    var bitmaps: [Key: Bitmap] = [:]
    /// The one that was used last at the end.
    var order: [Key] = []
    var bytes = 0
  }

  /// Some cards' pictures, each in the places of both scales.
  package static let mostBytes = 32 << 20

  private let mostBytes: Int
  private let state = Mutex(State())

  package init(mostBytes: Int = PictureCache.mostBytes) { self.mostBytes = mostBytes }

  /// How many bytes it holds.
  var bytes: Int { state.withLock(\.bytes) }

  /// The picture in a file; `nil` where there is none.
  func bitmap(file path: String, longestSide: Int) -> Bitmap? {
    guard let stamp = FileStamp(path) else { return nil }
    let key = Key.file(path, stamp, longestSide: longestSide)
    if let known = bitmap(key) { return known }
    guard let bitmap = Bitmap(file: path, longestSide: longestSide) else { return nil }
    keep(bitmap, key)
    return bitmap
  }

  func bitmap(_ key: Key) -> Bitmap? {
    state.withLock { state in
      guard let bitmap = state.bitmaps[key] else { return nil }
      state.order.removeAll { $0 == key }
      state.order.append(key)
      return bitmap
    }
  }

  func keep(_ bitmap: Bitmap, _ key: Key) {
    guard bitmap.bytes.count <= mostBytes else { return }
    state.withLock { state in
      guard state.bitmaps.updateValue(bitmap, forKey: key) == nil else { return }
      state.order.append(key)
      state.bytes += bitmap.bytes.count
      while state.bytes > mostBytes {
        let oldest = state.order.removeFirst()
        state.bytes -= state.bitmaps.removeValue(forKey: oldest)?.bytes.count ?? 0
      }
    }
  }
}
