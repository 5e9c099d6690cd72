import Foundation
import MediaLoading
import PushPayload

/// The state machine of one requested media file: redirects, retries, then the fallbacks that the payload
/// names, such as another URL or a poster.
struct MediaAttempt: Sendable {
  /// The next step of an attempt.
  enum Step: Sendable {
    case fetch(MediaFetch)
    case wait(Duration)
    case attached(AttachedMedia)
    case failed(MediaFailure)
  }

  /// The minimum time that is reserved for each remaining fallback.
  private static let reserve = Duration.seconds(5)
  private static let firstPause = Duration.milliseconds(500)

  let media: RichMedia
  /// The reason why the requested file failed; `nil` while it has not failed.
  ///
  /// A fallback's failure is not kept here.
  private(set) var failure: MediaFailure?
  /// The number of requests made, redirects and retries included, and of local files looked for.
  private(set) var requestCount = 0
  private let policy: MediaPolicy
  private let deadline: Duration
  private var fallbacks: ArraySlice<MediaReference>
  private var reference: MediaReference
  /// The number of times that the current reference was started.
  private var tryCount = 0
  /// The URLs requested in the current try, the last of them the current one.
  private var visited: [URL] = []
  private var partial: PartialMedia?

  /// Creates an attempt that must have ended at `deadline`, on the clock of `now`.
  init(_ media: RichMedia, policy: MediaPolicy, deadline: Duration) {
    self.media = media
    self.policy = policy
    self.deadline = deadline
    reference = media.wanted
    fallbacks = media.alternatives[...]
  }

  /// Whether the current reference is a fallback.
  var isAlternative: Bool { reference != media.wanted }

  /// The current reference's link; `nil` if it does not differ from the notification's.
  var deepLink: String? { reference.deepLink }

  /// Starts with the requested file, or tries the current reference again after a pause.
  mutating func start(at now: Duration) -> Step {
    do throws(MediaFailure) {
      tryCount += 1
      switch try Self.address(reference.url) {
      case .local(let path):
        return .fetch(makeFetch(.local(path), at: now))
      case .remote(let url):
        visited = []
        return .fetch(try request(url, at: now))
      }
    } catch {
      return fallBack(because: error, at: now)
    }
  }

  private static func address(_ text: String) throws(MediaFailure) -> MediaAddress {
    do throws(MediaAddress.Refusal) { return try MediaAddress(text) } catch {
      throw MediaFailure(.invalidURL, "the payload's media address \(error.reason)")
    }
  }

  mutating func on(_ ending: MediaFetchResult, at now: Duration) -> Step {
    switch ending {
    case .file(let file): return .attached(file)
    case .redirect(let location):
      do throws(MediaFailure) {
        // Its characters are escaped as those of the payload's address.
        let text = MediaURLText(location, isReference: true).text
        guard let base = visited.last, let url = URL(string: text, relativeTo: base) else {
          throw MediaFailure(.invalidURL, "the server redirected to something that is not a URL")
        }
        guard visited.count <= policy.maximumRedirects, !visited.contains(url.absoluteURL) else {
          throw MediaFailure(.redirects, "the server redirected too many times or in a loop")
        }
        return .fetch(try request(url.absoluteURL, at: now))
      } catch {
        return fallBack(because: error, at: now)
      }
    case .failed(let failure, let partial):
      let pause = max(Self.firstPause * (1 << min(tryCount - 1, 8)), failure.retryAfter ?? .zero)
      let reserved = Self.reserve * fallbacks.count
      guard failure.isTransient, tryCount < policy.maximumTries, now + pause + reserved < deadline
      else { return fallBack(because: failure, at: now) }
      self.partial = partial
      return .wait(pause)
    }
  }

  /// Starts the next fallback, if there is one.
  private mutating func fallBack(because failure: MediaFailure, at now: Duration) -> Step {
    if self.failure == nil { self.failure = failure }
    partial = nil
    tryCount = 0
    guard let next = fallbacks.popFirst() else { return .failed(self.failure ?? failure) }
    reference = next
    return start(at: now)
  }

  private mutating func request(_ url: URL, at now: Duration) throws(MediaFailure) -> MediaFetch {
    try policy.check(url)
    // As in the Fetch standard, headers that a redirect to another origin dropped are not sent again.
    let isSameOrigin = visited.allSatisfy { Self.origin($0) == Self.origin(url) }
    visited.append(url)
    var fetch = makeFetch(
      .remote(
        MediaRequest(
          url: url, headers: partial?.headers ?? [:],
          allowsConstrainedNetwork: policy.allowsConstrainedNetwork(family(of: url)),
          allowsPrivateAddress: policy.allowsPrivateAddresses)), at: now)
    fetch.headersFor = isSameOrigin ? visited.first : nil
    return fetch
  }

  private mutating func makeFetch(_ source: MediaFetch.Source, at now: Duration) -> MediaFetch {
    requestCount += 1
    // An equal share of the remaining time, or all of it but the reserve, whichever is more; the last
    // reference has all of it.
    let left = deadline - now
    let timeLimit =
      fallbacks.isEmpty
      ? nil : max(left / (fallbacks.count + 1), left - Self.reserve * fallbacks.count)
    return MediaFetch(reference: reference, source: source, partial: partial, timeLimit: timeLimit)
  }

  /// The expected kind of file, before the first byte is received.
  private func family(of url: URL) -> MediaType.Family? {
    reference.declaredType?.family ?? reference.declaredFamily
      ?? MediaType(pathExtension: url.pathExtension)?.family
  }

  /// Scheme, host and port (RFC 6454 section 4).
  private static func origin(_ url: URL) -> String {
    let scheme = url.scheme?.lowercased() ?? ""
    let host = url.host(percentEncoded: false)?.lowercased() ?? ""
    return "\(scheme)://\(host):\(url.port ?? (scheme == "http" ? 80 : 443))"
  }
}
