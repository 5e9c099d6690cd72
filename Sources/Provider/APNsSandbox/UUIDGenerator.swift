import PushPayload

/// A generator of UUIDs of version 4 (RFC 9562) in lower case, for the ids of answers.
///
/// On Linux, Foundation's UUID opens a file for each. These ids need not be unguessable, so one seed is enough.
struct UUIDGenerator {
  private var state: UInt64

  init(seed: UInt64 = .random(in: .min ... .max)) { state = seed }

  mutating func next() -> String {
    let high = word() & ~0xf000 | 0x4000
    let low = word() & ~(3 << 62) | 2 << 62
    return String(uuid: high, low)
  }

  /// The next number of SplitMix64 (Vigna, 2015).
  private mutating func word() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
