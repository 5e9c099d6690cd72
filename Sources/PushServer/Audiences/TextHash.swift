/// A 64-bit hash that stands for a text, with a key that is random in each process.
///
/// A field whose value differs on nearly every device would take ten times the memory as text.
/// Among ten million devices a lookup finds a wrong one with a probability of about 10⁻¹², and the
/// random key keeps callers from choosing texts that collide.
struct TextHash: Hashable, Sendable {
  var bits: UInt64

  /// The hash of no text: 0, which no text has.
  static let none = TextHash(bits: 0)

  private init(bits: UInt64) { self.bits = bits }

  init(_ text: String) {
    var hasher = Hasher()
    hasher.combine(text)
    bits = max(1, UInt64(bitPattern: Int64(hasher.finalize())))
  }
}
