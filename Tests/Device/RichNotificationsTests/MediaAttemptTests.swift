import Foundation
import MediaLoading
import PushPayload
import Testing

@testable import RichNotifications

@Suite("The state machine of a media file")
struct MediaAttemptTests {
  static func attempt(
    _ media: RichMedia, _ change: (inout MediaPolicy) -> Void = { _ in }
  ) -> MediaAttempt {
    var policy = MediaPolicy()
    change(&policy)
    return MediaAttempt(media, policy: policy, deadline: .seconds(25))
  }

  static func failure(transient: Bool, after: Duration? = nil) -> MediaFetchResult {
    var failure = MediaFailure(.httpStatus, "the server responded with status 503", status: 503)
    failure.isTransient = transient
    failure.retryAfter = after
    return .failed(failure, nil)
  }

  /// A step as text.
  static func word(_ step: MediaAttempt.Step) -> String {
    switch step {
    case .fetch(let order):
      switch order.source {
      case .remote(let request): "fetch \(request.url)"
      case .local(let path): "copy \(path)"
      }
    case .wait(let pause): "wait \(pause / .milliseconds(1))"
    case .attached: "attached"
    case .failed(let failure): "failed \(failure.reason.rawValue)"
    }
  }

  static func request(_ step: MediaAttempt.Step) -> MediaRequest? {
    if case .fetch(let order) = step, case .remote(let request) = order.source {
      request
    } else {
      nil
    }
  }

  @Test("a transient failure is retried after a pause that doubles, three tries in total")
  func retries() {
    var attempt = Self.attempt(Sample.media("https://a/i"))
    let words = [
      attempt.start(at: .zero), attempt.on(Self.failure(transient: true), at: .zero),
      attempt.start(at: .seconds(1)), attempt.on(Self.failure(transient: true), at: .seconds(1)),
      attempt.start(at: .seconds(2)), attempt.on(Self.failure(transient: true), at: .seconds(2)),
    ].map(Self.word)
    #expect(
      words == [
        "fetch https://a/i", "wait 500.0", "fetch https://a/i", "wait 1000.0", "fetch https://a/i",
        "failed http-status",
      ])
    #expect(attempt.requestCount == 3)
  }

  @Test("a permanent failure is not retried")
  func final() {
    var attempt = Self.attempt(Sample.media("https://a/i"))
    _ = attempt.start(at: .zero)
    #expect(
      Self.word(attempt.on(Self.failure(transient: false), at: .zero)) == "failed http-status")
  }

  @Test(
    "Retry-After is respected if there is time, otherwise the fallback starts",
    arguments: [(3, "wait 3000.0"), (24, "wait 24000.0"), (25, "failed http-status")])
  func retryAfter(seconds: Int, word: String) {
    var attempt = Self.attempt(Sample.media("https://a/i"))
    _ = attempt.start(at: .zero)
    let step = attempt.on(Self.failure(transient: true, after: .seconds(seconds)), at: .zero)
    #expect(Self.word(step) == word)
  }

  @Test("the fallbacks are tried in order, and the failure of the requested file is reported")
  func rungs() {
    var attempt = Self.attempt(Sample.media("https://a/film", "https://b/film", "poster.png"))
    #expect(Self.word(attempt.start(at: .zero)) == "fetch https://a/film")
    #expect(!attempt.isAlternative)
    let second = attempt.on(Self.failure(transient: false), at: .zero)
    #expect(Self.word(second) == "fetch https://b/film")
    #expect(attempt.isAlternative)
    let third = attempt.on(.failed(MediaFailure(.tooLarge, "too large"), nil), at: .zero)
    #expect(Self.word(third) == "copy poster.png")
    let end = attempt.on(.failed(MediaFailure(.notFound, "not there"), nil), at: .zero)
    #expect(Self.word(end) == "failed http-status")
  }

  @Test("an invalid URL falls back without a request")
  func invalid() {
    var attempt = Self.attempt(Sample.media("ftp://a/film", "https://b/film"))
    #expect(Self.word(attempt.start(at: .zero)) == "fetch https://b/film")
    #expect(attempt.failure?.reason == .invalidURL)
  }

  @Test(
    "a try has a time limit while there are fallbacks; the last one has none",
    arguments: [(0, 25.0), (10, 15.0), (22, 3.0)])
  func slices(now: Int, left: Double) throws {
    var attempt = Self.attempt(Sample.media("https://a/film", "https://b/film"))
    guard case .fetch(let first) = attempt.start(at: .seconds(now)) else { return }
    #expect(first.timeLimit == .seconds(max(left / 2, left - 5)))
    guard case .fetch(let last) = attempt.on(Self.failure(transient: false), at: .seconds(now))
    else { return }
    #expect(last.timeLimit == nil)
  }

  @Test(
    "a redirect's characters are escaped like those of the payload's address",
    arguments: [
      ("https://b/my photo%20(1).jpg", "https://b/my%20photo%20(1).jpg"),
      ("/ä%20b.jpg", "https://a/%C3%A4%20b.jpg"), ("c:d e.jpg", "c:d%20e.jpg"),
      ("?x=1 2", "https://a/0?x=1%202"),
    ])
  func redirectText(location: String, url: String) {
    var attempt = Self.attempt(Sample.media("https://a/0"))
    _ = attempt.start(at: .zero)
    let word = Self.word(attempt.on(.redirect(location), at: .zero))
    #expect(word == (url.hasPrefix("https:") ? "fetch \(url)" : "failed invalid-url"))
  }

  @Test("redirects are followed up to the limit, and a loop fails")
  func redirects() {
    var attempt = Self.attempt(Sample.media("https://a/0"))
    _ = attempt.start(at: .zero)
    for number in 1...5 {
      #expect(
        Self.word(attempt.on(.redirect("/\(number)"), at: .zero)) == "fetch https://a/\(number)")
    }
    #expect(Self.word(attempt.on(.redirect("/6"), at: .zero)) == "failed too-many-redirects")
    var circle = Self.attempt(Sample.media("https://a/0"))
    _ = circle.start(at: .zero)
    _ = circle.on(.redirect("https://b/1"), at: .zero)
    #expect(
      Self.word(circle.on(.redirect("https://a/0"), at: .zero)) == "failed too-many-redirects")
  }

  @Test(
    "a redirect to a URL that the policy does not allow is refused",
    arguments: [
      ("http://a/i", "not-https"), ("https://user:secret@a/i", "credentials-in-url"),
      ("https://evil.example/i", "host-not-allowed"), ("ftp://a/i", "not-https"),
      ("https://", "invalid-url"),
    ])
  func refusedRedirects(location: String, reason: String) {
    var attempt = Self.attempt(Sample.media("https://a/i")) { $0.allowedHosts = ["a"] }
    _ = attempt.start(at: .zero)
    #expect(Self.word(attempt.on(.redirect(location), at: .zero)) == "failed \(reason)")
  }

  static func headersFor(_ step: MediaAttempt.Step) -> URL? {
    if case .fetch(let order) = step { order.headersFor } else { nil }
  }

  @Test(
    "the app's headers are sent only to the first URL's origin, and not after a redirect has left it"
  )
  func headers() {
    var attempt = Self.attempt(Sample.media("https://a/0"))
    let sent = [
      attempt.start(at: .zero), attempt.on(.redirect("/1"), at: .zero),
      attempt.on(.redirect("https://a:443/2"), at: .zero),
      attempt.on(.redirect("https://a:8443/3"), at: .zero),
      attempt.on(.redirect("https://b/4"), at: .zero),
      attempt.on(.redirect("https://a/5"), at: .zero),
    ].map { Self.headersFor($0) }
    let first = URL(string: "https://a/0")
    #expect(sent == [first, first, first, nil, nil, nil])
  }

  @Test(
    "Low Data Mode allows images by default, and all or no media if the app says so",
    arguments: [
      (MediaPolicy.LowDataMode.smaller, [true, false, false, true]),
      (.full, [true, true, true, true]),
      (.text, [false, false, false, false]),
    ])
  func lowDataMode(mode: MediaPolicy.LowDataMode, allowed: [Bool]) {
    let urls = ["https://a/i.png", "https://a/f.mp4", "https://a/s.mp3", "https://a/unknown"]
    let found = urls.map { url in
      var attempt = Self.attempt(Sample.media(url)) { $0.lowDataMode = mode }
      return Self.request(attempt.start(at: .zero))?.allowsConstrainedNetwork
    }
    #expect(found == allowed)
  }
}
