import PushPayload

/// Makes the ids of answers: UUIDs of version 4 (RFC 9562), in lower case.
///
/// Foundation's would open a file for each. These are no secret: one seed is enough for all.
struct UniqueIDs {
  private var state: UInt64

  init(seed: UInt64 = .random(in: .min ... .max)) { state = seed }

  mutating func next() -> String {
    let high = word() & ~0xf000 | 0x4000
    let low = word() & ~(3 << 62) | 2 << 62
    return String(uuid: high, low)
  }

  /// Vigna's SplitMix64.
  private mutating func word() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ word >> 30) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ word >> 27) &* 0x94d0_49bb_1331_11eb
    return word ^ word >> 31
  }
}
