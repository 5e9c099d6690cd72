import PushStore

/// A bucket of tokens a name: an address, or the id of a key.
struct RateLimiter {
  /// How many requests may come at once, and how many a second from then on.
  struct Rate: Sendable {
    var burst: Double
    var perSecond: Double

    /// Callers whose key is public; many phones may share one address, so the bucket is deep.
    static let publicCaller = Rate(burst: 300, perSecond: 30)
    /// What a key was made with: at most that many in any instant, too.
    static func key(perSecond: Int) -> Rate {
      Rate(burst: Double(perSecond), perSecond: Double(perSecond))
    }
  }

  /// Past this many names the full buckets are forgotten, then all.
  static let capacity = 10_000

  private struct Bucket {
    var rate: Rate
    var tokens: Double
    var at: Timestamp

    func filled(at now: Timestamp) -> Double {
      let seconds = Double(max(0, now.milliseconds - at.milliseconds)) / 1000
      return min(rate.burst, tokens + seconds * rate.perSecond)
    }
  }

  private var buckets: [String: Bucket] = [:]

  /// Takes a token; where there is none, the seconds until there is.
  mutating func wait(for name: String, _ rate: Rate, at now: Timestamp) -> Int? {
    if buckets.count >= Self.capacity, buckets[name] == nil {
      buckets = buckets.filter { $0.value.filled(at: now) < $0.value.rate.burst }
      if buckets.count >= Self.capacity { buckets.removeAll() }
    }
    let tokens = buckets[name]?.filled(at: now) ?? rate.burst
    guard tokens >= 1 else {
      buckets[name] = Bucket(rate: rate, tokens: tokens, at: now)
      return max(1, Int(((1 - tokens) / rate.perSecond).rounded(.up)))
    }
    buckets[name] = Bucket(rate: rate, tokens: tokens - 1, at: now)
    return nil
  }
}
