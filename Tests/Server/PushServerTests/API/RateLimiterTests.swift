import PushModel
import Testing

@testable import PushServer

@Suite("Rate limits")
struct RateLimiterTests {
  private static let start = Timestamp(milliseconds: 1_700_000_000_000)
  private static let rate = RateLimiter.Rate(burst: 5, perSecond: 1.0 / 60)

  @Test("a full table forgets the names that have tried least, and never the one that is attacked")
  func full() {
    var limiter = RateLimiter()
    func wait(_ name: String) -> Int? { limiter.wait(for: name, Self.rate, at: Self.start) }
    for _ in 1...5 { #expect(wait("attacked") == nil) }
    for number in 0..<RateLimiter.capacity * 3 { #expect(wait("other \(number)") == nil) }
    #expect(wait("attacked") == 60)
    #expect(limiter.count <= RateLimiter.capacity)
  }

  @Test("a name is kept up to the capacity, and the one past it removes others")
  func capacity() {
    var limiter = RateLimiter()
    for number in 0..<RateLimiter.capacity {
      _ = limiter.wait(for: "\(number)", Self.rate, at: Self.start)
    }
    #expect(limiter.count == RateLimiter.capacity)
    _ = limiter.wait(for: "one more", Self.rate, at: Self.start)
    #expect(limiter.count == RateLimiter.kept + 1)
    _ = limiter.wait(for: "late", Self.rate, at: Self.start + .seconds(3600))
    #expect(limiter.count == RateLimiter.kept + 2)
  }

  @Test("buckets that are full again are removed before all others")
  func refilled() {
    var limiter = RateLimiter()
    for number in 0..<RateLimiter.capacity {
      _ = limiter.wait(for: "\(number)", Self.rate, at: Self.start)
    }
    _ = limiter.wait(for: "late", Self.rate, at: Self.start + .seconds(60))
    #expect(limiter.count == 1)
  }
}
