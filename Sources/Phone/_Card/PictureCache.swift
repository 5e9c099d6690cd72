import NotificationCards
import Synchronization

/// A least-recently-used cache of decoded pictures and wallpapers.
///
/// Decoding a large picture takes longer than drawing the rest of a card. The gradients of the wallpaper take half of
/// the rest.
package final class PictureCache: Sendable {
  enum Key: Hashable {
    case file(String, FileStamp, longestSide: Int)
    case wallpaper(CardStyle.Appearance, width: Int, height: Int, scale: Double)
  }

  private struct State {
    var bitmaps: [Key: Bitmap] = [:]
    /// The keys by their last use, the latest at the end.
    var order: [Key] = []
    var bytes = 0
    var sizes: [FileStamp: (width: Int, height: Int)] = [:]
  }

  /// The most sizes of pictures that are kept.
  private static let maximumSizes = 256

  /// The size of a cache by default, in bytes: the pictures of a few cards, at both scales.
  package static let defaultMaximumBytes = 32 << 20

  private let maximumBytes: Int
  private let state = Mutex(State())

  /// Makes an empty cache that holds up to `maximumBytes` of decoded pictures.
  package init(maximumBytes: Int = PictureCache.defaultMaximumBytes) {
    self.maximumBytes = maximumBytes
  }

  /// The size of all pictures in the cache, in bytes.
  var bytes: Int { state.withLock(\.bytes) }

  /// The picture in a file, decoded if it is not in the cache; `nil` if it cannot be read.
  func bitmap(file path: String, longestSide: Int) -> Bitmap? {
    guard let stamp = FileStamp(path) else { return nil }
    let key = Key.file(path, stamp, longestSide: longestSide)
    if let known = bitmap(key) { return known }
    guard let bitmap = Bitmap(file: path, longestSide: longestSide) else { return nil }
    insert(bitmap, for: key)
    return bitmap
  }

  /// The size of the picture in a file, in pixels; `nil` if it cannot be read.
  func pixelSize(ofFile path: String) -> (width: Int, height: Int)? {
    guard let stamp = FileStamp(path) else { return nil }
    if let known = state.withLock({ $0.sizes[stamp] }) { return known }
    guard let size = Bitmap.pixelSize(ofFile: path) else { return nil }
    state.withLock { state in
      if state.sizes.count >= Self.maximumSizes { state.sizes.removeAll() }
      state.sizes[stamp] = size
    }
    return size
  }

  func bitmap(_ key: Key) -> Bitmap? {
    state.withLock { state in
      guard let bitmap = state.bitmaps[key] else { return nil }
      state.order.removeAll { $0 == key }
      state.order.append(key)
      return bitmap
    }
  }

  /// Adds a picture; if space is short, it removes the least recently used ones.
  func insert(_ bitmap: Bitmap, for key: Key) {
    guard bitmap.bytes.count <= maximumBytes else { return }
    state.withLock { state in
      guard state.bitmaps.updateValue(bitmap, forKey: key) == nil else { return }
      state.order.append(key)
      state.bytes += bitmap.bytes.count
      while state.bytes > maximumBytes {
        let oldest = state.order.removeFirst()
        state.bytes -= state.bitmaps.removeValue(forKey: oldest)?.bytes.count ?? 0
      }
    }
  }
}
