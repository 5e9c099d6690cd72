import PushModel

/// A token-bucket rate limiter with one bucket for each name: an address or the id of a key.
struct RateLimiter {
  /// The size of a bucket, and the rate at which it fills.
  struct Rate: Sendable {
    /// The largest number of tokens in a bucket, and so of requests at once.
    var burst: Double
    var perSecond: Double

    /// The rate of one address with a device key, which is public.
    ///
    /// Many phones may share an address, so the burst is large.
    static let publicCaller = Rate(burst: 300, perSecond: 30)
    /// The rate of refused credentials from one address: 10, then one in 30 seconds.
    static let refusal = Rate(burst: 10, perSecond: 1.0 / 30)
    /// The rate of audit entries about refused credentials.
    static let refusalAudit = Rate(burst: 1000, perSecond: 1)
    /// The rate of new devices of one address with a device key.
    static func newDevices(perMinute: Int) -> Rate {
      Rate(burst: Double(perMinute), perSecond: Double(perMinute) / 60)
    }
    /// The rate that an API key was made with, which also limits its burst.
    static func key(perSecond: Int) -> Rate {
      Rate(burst: Double(perSecond), perSecond: Double(perSecond))
    }
  }

  /// The largest number of buckets; when it is reached, those that would be full first are removed.
  static let capacity = 10_000
  /// The number of buckets that then remain, so that they are not sorted for each new name.
  static let kept = 8000

  private struct Bucket {
    var rate: Rate
    var tokens: Double
    var at: Timestamp

    func filled(at now: Timestamp) -> Double {
      let seconds = Double(max(0, now.milliseconds - at.milliseconds)) / 1000
      return min(rate.burst, tokens + seconds * rate.perSecond)
    }

    /// The seconds until the bucket is full, and thus equal to a new one.
    func secondsUntilFull(at now: Timestamp) -> Double {
      (rate.burst - filled(at: now)) / rate.perSecond
    }
  }

  private var buckets: [String: Bucket] = [:]

  /// The number of buckets.
  var count: Int { buckets.count }

  /// Takes a token from the bucket of a name.
  ///
  /// - Returns: `nil` if there was a token, or else the whole seconds until there is one, at least 1.
  mutating func wait(for name: String, _ rate: Rate, at now: Timestamp) -> Int? {
    if buckets.count >= Self.capacity, buckets[name] == nil { removeFullest(at: now) }
    let tokens = buckets[name]?.filled(at: now) ?? rate.burst
    guard tokens >= 1 else {
      buckets[name] = Bucket(rate: rate, tokens: tokens, at: now)
      return max(1, Int(((1 - tokens) / rate.perSecond).rounded(.up)))
    }
    buckets[name] = Bucket(rate: rate, tokens: tokens - 1, at: now)
    return nil
  }

  /// Removes the buckets that are nearest to full, because they say least.
  ///
  /// Callers from many addresses fill the table with buckets of few attempts each. These are removed before the
  /// bucket of the account that the callers attack.
  private mutating func removeFullest(at now: Timestamp) {
    let order = buckets.values.map { $0.secondsUntilFull(at: now) }.sorted(by: >)
    guard order.count > Self.kept else { return }
    let least = order[Self.kept]
    // Of the buckets that are equally full, only as many stay as there is room for.
    var places = Self.kept - order.count { $0 > least }
    buckets = buckets.filter { _, bucket in
      let seconds = bucket.secondsUntilFull(at: now)
      guard seconds > 0, seconds >= least else { return false }
      guard seconds == least else { return true }
      places -= 1
      return places >= 0
    }
  }

  /// Gives back a token that was taken from the bucket of a name.
  mutating func restore(_ name: String, at now: Timestamp) {
    guard let bucket = buckets[name] else { return }
    let tokens = min(bucket.rate.burst, bucket.filled(at: now) + 1)
    buckets[name] = Bucket(rate: bucket.rate, tokens: tokens, at: now)
  }
}
