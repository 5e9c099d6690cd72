import Foundation
import MediaLoading
import PushPayload

/// One request to make for a media file, or one local file to copy.
struct MediaFetch: Sendable {
  var reference: MediaReference
  var source: Source
  /// The part of the file that an earlier try has received.
  var partial: PartialMedia?
  /// The time limit that leaves time for fallbacks; `nil` if only the deadline limits the fetch.
  var timeLimit: Duration?
  /// The URL to pass to ``MediaPolicy/headers``; `nil` if the app's headers must not be sent.
  var headersFor: URL?

  enum Source: Sendable {
    case local(String)
    case remote(MediaRequest)
  }
}

/// The result of a ``MediaFetch``.
enum MediaFetchResult: Sendable {
  case file(AttachedMedia)
  /// The server redirected to another URL, given as the server wrote it.
  case redirect(String)
  /// The fetch failed; the partial file, if any, can be resumed.
  case failed(MediaFailure, PartialMedia?)
}

/// The beginning of a file whose rest can be requested.
///
/// The file is deleted with its last reference.
struct PartialMedia: Sendable {
  var file: MediaFile
  var intake: MediaIntake

  /// The header fields that request the rest, or the whole file if it has changed (RFC 9110 section 13.1.5).
  var headers: [String: String] {
    ["Range": "bytes=\(intake.bytes)-", "If-Range": intake.validator ?? ""]
  }
}

/// The number of bytes that one notification may still receive, shared by its downloads.
final class ByteBudget: Sendable {
  private let remaining: Locked<Int64>

  init(_ bytes: Int64) { remaining = Locked(bytes) }

  /// Reserves bytes, all or none.
  ///
  /// - Returns: Whether that many bytes remained.
  func reserve(_ count: Int64) -> Bool {
    remaining.withLock { remaining in
      guard count <= remaining else { return false }
      remaining -= count
      return true
    }
  }

  /// Returns bytes that were reserved and not received.
  func returnBytes(_ count: Int64) { remaining.withLock { $0 += count } }
}
