import Foundation
import MediaLoading
import PushPayload

/// One wanted file on its way down the ladder, as a value: redirects, other tries, the other address,
/// the smaller picture.
struct MediaAttempt: Sendable {
  /// What is to be done next.
  enum Step: Sendable {
    case fetch(FetchOrder)
    case wait(Duration)
    case attached(AttachedMedia)
    case failed(MediaFailure)
  }

  /// What is left for each thing that could be tried after the present one, at least.
  private static let reserve = Duration.seconds(5)
  private static let firstPause = Duration.milliseconds(500)

  let media: RichMedia
  /// Why what was wanted could not be had.
  private(set) var failure: MediaFailure?
  /// How many requests were made, or files looked for.
  private(set) var tries = 0
  private let policy: MediaPolicy
  private let deadline: Duration
  private var rest: ArraySlice<MediaReference>
  private var reference: MediaReference
  private var attempt = 0
  private var visited: [URL] = []
  private var partial: PartialMedia?

  /// `deadline` is when all must be over, on the clock that `now` is read from.
  init(_ media: RichMedia, policy: MediaPolicy, deadline: Duration) {
    self.media = media
    self.policy = policy
    self.deadline = deadline
    reference = media.wanted
    rest = media.alternatives[...]
  }

  /// Whether it has left what was wanted for what may stand in.
  var isAlternative: Bool { reference != media.wanted }

  /// Where a tap leads that differs from the notification's own link.
  var deepLink: String? { reference.deepLink }

  /// Begins with what is wanted, or after a pause goes on.
  mutating func go(at now: Duration) -> Step {
    do throws(MediaFailure) {
      attempt += 1
      switch try MediaAddress(reference.url) {
      case .local(let path):
        return .fetch(order(.local(path), at: now))
      case .remote(let url):
        visited = []
        return .fetch(try request(url, at: now))
      }
    } catch {
      return fall(because: error, at: now)
    }
  }

  mutating func on(_ ending: FetchEnding, at now: Duration) -> Step {
    switch ending {
    case .file(let file): return .attached(file)
    case .redirect(let location):
      do throws(MediaFailure) {
        guard let base = visited.last, let url = URL(string: location, relativeTo: base) else {
          throw MediaFailure(.invalidURL, "the server redirected to something that is no URL")
        }
        guard visited.count <= policy.maximumRedirects, !visited.contains(url.absoluteURL) else {
          throw MediaFailure(.redirects, "the server redirected too often")
        }
        return .fetch(try request(url.absoluteURL, at: now))
      } catch {
        return fall(because: error, at: now)
      }
    case .failed(let failure, let partial):
      let pause = max(Self.firstPause * (1 << min(attempt - 1, 8)), failure.retryAfter ?? .zero)
      let reserved = Self.reserve * rest.count
      guard failure.isTransient, attempt < policy.maximumAttempts, now + pause + reserved < deadline
      else { return fall(because: failure, at: now) }
      self.partial = partial
      return .wait(pause)
    }
  }

  /// The next thing that may stand in, if there is one.
  private mutating func fall(because failure: MediaFailure, at now: Duration) -> Step {
    if self.failure == nil { self.failure = failure }
    partial = nil
    attempt = 0
    guard let next = rest.popFirst() else { return .failed(self.failure ?? failure) }
    reference = next
    return go(at: now)
  }

  private mutating func request(_ url: URL, at now: Duration) throws(MediaFailure) -> FetchOrder {
    try policy.check(url)
    // As in the Fetch standard: what was left behind once does not come back.
    let isHome = visited.allSatisfy { Self.origin($0) == Self.origin(url) }
    visited.append(url)
    var order = order(
      .remote(
        MediaRequest(
          url: url, headers: partial?.headers ?? [:],
          allowsConstrainedNetwork: policy.allowsConstrainedNetwork(family(of: url)),
          allowsPrivateAddress: policy.allowsPrivateAddresses)), at: now)
    order.headersFor = isHome ? visited.first : nil
    return order
  }

  private mutating func order(_ source: FetchOrder.Source, at now: Duration) -> FetchOrder {
    tries += 1
    // Half of what is left or all but the reserve, whichever is more; the last one has it all.
    let left = deadline - now
    let slice = rest.isEmpty ? nil : max(left / (rest.count + 1), left - Self.reserve * rest.count)
    return FetchOrder(reference: reference, source: source, partial: partial, slice: slice)
  }

  /// What the file will probably be, before a byte of it has come.
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
