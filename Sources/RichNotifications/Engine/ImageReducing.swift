public import Foundation
public import PushPayload

/// Makes an image smaller that has more bytes than the system attaches.
///
/// On Apple's systems ``RichEnvironment/device`` brings ImageIO. Without one, an image over the limit
/// fails as ``MediaFailure/Reason/tooLarge`` before the rest of it is fetched.
public protocol ImageReducing: Sendable {
  /// Writes a smaller picture of an image.
  ///
  /// Called once a file, on the thread that brought its last byte; the deadline does not wait for it.
  ///
  /// - Parameters:
  ///   - image: The file; it stays as it is.
  ///   - maximumBytes: How large the new one may be.
  ///   - directory: Where it shall lie.
  /// - Returns: The new file, whose name ends as its type does, and its type.
  /// - Throws: Why it cannot be done; the image then counts as too large.
  func reduce(
    _ image: URL, to maximumBytes: Int, in directory: URL
  ) throws -> (file: URL, type: MediaType)
}

extension RichEnvironment {
  /// How large an image may be on its way: what the system attaches, or what can be made so.
  func maximumImageBytes(_ policy: MediaPolicy) -> Int64 {
    let attached = Int64(MediaType.Family.image.maximumBytes)
    return imageReducer == nil ? attached : max(attached, policy.maximumReducibleBytes)
  }

  /// The file as it can be attached: itself, or in place of a large image a smaller one.
  func attachable(_ media: AttachedMedia) throws(MediaFailure) -> AttachedMedia {
    let limit = MediaType.Family.image.maximumBytes
    guard media.type.family == .image, media.bytes > Int64(limit) else { return media }
    defer { try? FileManager.default.removeItem(at: media.file) }
    let failure = MediaFailure(
      .tooLarge, "the image has \(media.bytes) bytes and could not be made smaller",
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
