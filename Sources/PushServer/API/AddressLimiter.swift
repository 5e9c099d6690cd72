import PushStore

/// A bucket of tokens an address, for callers whose key is public.
struct AddressLimiter {
  /// Many phones may share one address, so the bucket is deep.
  static let burst = 300.0
  static let perSecond = 30.0
  /// Past this many addresses the full buckets are forgotten, then all.
  static let capacity = 10_000

  private struct Bucket {
    var tokens: Double
    var at: Timestamp

    func filled(at now: Timestamp) -> Double {
      let seconds = Double(max(0, now.milliseconds - at.milliseconds)) / 1000
      return min(burst, tokens + seconds * perSecond)
    }
  }

  private var buckets: [String: Bucket] = [:]

  /// Takes a token; where there is none, the seconds until there is.
  mutating func wait(for address: String, at now: Timestamp) -> Int? {
    if buckets.count >= Self.capacity, buckets[address] == nil {
      buckets = buckets.filter { $0.value.filled(at: now) < Self.burst }
      if buckets.count >= Self.capacity { buckets.removeAll() }
    }
    let tokens = buckets[address]?.filled(at: now) ?? Self.burst
    guard tokens >= 1 else {
      buckets[address] = Bucket(tokens: tokens, at: now)
      return max(1, Int(((1 - tokens) / Self.perSecond).rounded(.up)))
    }
    buckets[address] = Bucket(tokens: tokens - 1, at: now)
    return nil
  }
}
