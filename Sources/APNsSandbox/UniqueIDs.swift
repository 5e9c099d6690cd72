/// Makes the ids of answers: UUIDs of version 4 (RFC 9562), in lower case.
///
/// Foundation's would open a file for each. These are no secret: one seed is enough for all.
struct UniqueIDs {
  private var state: UInt64

  init(seed: UInt64 = .random(in: .min ... .max)) { state = seed }

  mutating func next() -> String {
    let high = word() & ~0xf000 | 0x4000
    let low = word() & ~(3 << 62) | 2 << 62
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let word = index < 16 ? high : low
        let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - index % 16 * 4) & 15)
        text[place] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
        place += 1
      }
      return place
    }
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
