import Foundation

/// The secret key of an index's hashes.
package struct HashKey: Hashable, Sendable {
  var first: UInt64
  var second: UInt64

  /// A key for hashes that are not stored.
  static let process = random()

  static func random() -> HashKey {
    HashKey(first: .random(in: 0...(.max)), second: .random(in: 0...(.max)))
  }
}

/// A 64-bit hash that stands for a text: SipHash-1-3 (Aumasson and Bernstein, 2012) with a random key.
///
/// A field with a different value on nearly every device would take ten times the memory as text.
/// Among ten million devices, the probability that a lookup finds a wrong one is about 10⁻¹². The
/// random key keeps callers from choosing texts that collide. Texts that are equal in Swift, so in any
/// normal form of Unicode, have the same hash.
struct TextHash: Hashable, Sendable {
  var bits: UInt64

  /// The hash for an absent text: 0, which no text has.
  static let none = TextHash(bits: 0)

  init(bits: UInt64) { self.bits = bits }

  init(_ text: String, _ key: HashKey = .process) {
    var text = text
    let hash = text.withUTF8 { bytes in
      unsafe bytes.contains { $0 >= 0x80 } ? nil : unsafe SipHash.hash(bytes, key)
    }
    if let hash {
      bits = max(1, hash)
    } else {
      var normalized = text.precomposedStringWithCanonicalMapping
      bits = max(1, normalized.withUTF8 { unsafe SipHash.hash($0, key) })
    }
  }
}

/// The state of SipHash with one round for each word and three at the end.
private struct SipHash {
  private var v0, v1, v2, v3: UInt64

  static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ key: HashKey) -> UInt64 {
    var state = SipHash(key)
    let raw = UnsafeRawBufferPointer(bytes)
    let whole = raw.count & ~7
    for offset in stride(from: 0, to: whole, by: 8) {
      state.add(
        UInt64(littleEndian: unsafe raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
    }
    var last = UInt64(truncatingIfNeeded: raw.count) << 56
    for offset in whole..<raw.count {
      last |= UInt64(unsafe raw[offset]) << (8 * UInt64(offset - whole))
    }
    state.add(last)
    return state.finish()
  }

  private init(_ key: HashKey) {
    v0 = key.first ^ 0x736f_6d65_7073_6575
    v1 = key.second ^ 0x646f_7261_6e64_6f6d
    v2 = key.first ^ 0x6c79_6765_6e65_7261
    v3 = key.second ^ 0x7465_6462_7974_6573
  }

  private mutating func add(_ word: UInt64) {
    v3 ^= word
    round()
    v0 ^= word
  }

  private mutating func finish() -> UInt64 {
    v2 ^= 0xff
    for _ in 0..<3 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  private mutating func round() {
    v0 &+= v1
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v3
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 &+= v3
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 &+= v1
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v2 = v2 << 32 | v2 >> 32
  }
}
