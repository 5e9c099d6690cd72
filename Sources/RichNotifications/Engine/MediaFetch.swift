import Foundation
import MediaLoading
import PushPayload

/// One request to be made for a media file, or one local file to be copied.
struct FetchOrder: Sendable {
  var reference: MediaReference
  var source: Source
  /// What an earlier try has left.
  var partial: PartialMedia?
  /// How long this one may take where something else could still be tried; `nil` for up to the
  /// deadline.
  var slice: Duration?
  /// The URL whose headers, as the app gives them, go with the request; `nil` for none.
  var headersFor: URL?

  enum Source: Sendable {
    case local(String)
    case remote(MediaRequest)
  }
}

/// How an order ended.
enum FetchEnding: Sendable {
  case file(AttachedMedia)
  /// The server names another URL.
  case redirect(String)
  /// Why, and what can be built upon.
  case failed(MediaFailure, PartialMedia?)
}

/// The beginning of a file whose rest can be asked for; who lets go of it deletes it.
struct PartialMedia: Sendable {
  var file: MediaFile
  var intake: MediaIntake

  /// The fields that ask for the rest, and for all where the file has changed (RFC 9110 section 13.1.5).
  var headers: [String: String] {
    ["Range": "bytes=\(intake.bytes)-", "If-Range": intake.validator ?? ""]
  }
}

/// How many bytes one notification may still receive.
final class ByteBudget: Sendable {
  private let left: Locked<Int64>

  init(_ bytes: Int64) { left = Locked(bytes) }

  /// - Returns: Whether they were left; if not, none is taken.
  func take(_ count: Int64) -> Bool {
    left.withLock { left in
      guard count <= left else { return false }
      left -= count
      return true
    }
  }

  /// For what was taken and has not come.
  func giveBack(_ count: Int64) { left.withLock { $0 += count } }
}
