public import Foundation
public import PushPayload

/// Scales down images that are over the system's size limit for attachments, and pictures of templates that have more
/// pixels than a phone displays.
///
/// On Apple platforms ``RichEnvironment/device`` uses ImageIO. Without a reducer, an image over the limit
/// fails with ``MediaFailure/Reason/tooLarge`` as soon as its size is known.
public protocol ImageReducing: Sendable {
  /// Writes a smaller copy of an image.
  ///
  /// Called on the thread that received the file's last byte: once for a file over the limit, and once for the picture
  /// of a template. The deadline does not wait for it.
  ///
  /// - Parameters:
  ///   - image: The image's file, which is not changed.
  ///   - maximumBytes: The maximum size of the new file in bytes.
  ///   - directory: The directory for the new file.
  /// - Returns: The new file, whose name has the extension of its type, and its type.
  /// - Throws: Any error if the image cannot be scaled down. An image over the limit then counts as too large; a
  ///   template's picture stays as it is.
  func reduce(
    _ image: URL, to maximumBytes: Int, in directory: URL
  ) throws -> (file: URL, type: MediaType)
}

extension RichEnvironment {
  /// The maximum size in bytes of an image to download: the system's limit, or more if there is a reducer.
  func maximumImageBytes(_ policy: MediaPolicy) -> Int64 {
    let attached = Int64(MediaType.Family.image.maximumBytes)
    return imageReducer == nil ? attached : max(attached, policy.maximumReducibleBytes)
  }

  /// The file itself, or a smaller copy of an image that is over the system's limit.
  func attachable(_ media: AttachedMedia) throws(MediaFailure) -> AttachedMedia {
    let limit = MediaType.Family.image.maximumBytes
    guard media.type.family == .image, media.bytes > Int64(limit) else { return media }
    defer { try? FileManager.default.removeItem(at: media.file) }
    let failure = MediaFailure(
      .tooLarge, "the image has \(media.bytes) bytes and could not be scaled down",
      status: media.status, bytes: media.bytes)
    let reduced = try? imageReducer?.reduce(media.file, to: limit, in: temporaryDirectory)
    guard let reduced else { throw failure }
    let path = reduced.file.path(percentEncoded: false)
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    guard let bytes = size?.int64Value, 1...Int64(limit) ~= bytes else {
      try? FileManager.default.removeItem(at: reduced.file)
      throw failure
    }
    var smaller = media
    (smaller.file, smaller.type, smaller.bytes) = (reduced.file, reduced.type, bytes)
    smaller.typeSource = .bytes
    smaller.reducedFrom = media.bytes
    return smaller
  }
}
