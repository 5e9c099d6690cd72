import PushModel

/// The texts that devices have or had in each field, by their hashes, from which a person chooses one.
///
/// A filter finds any text by its hash, so what is not kept here can still be typed.
struct KnownTexts: Sendable {
  /// The most texts of a field; one with more, such as first names, has the first of them.
  static let fieldLimit = 2000
  /// The most texts of all fields, about 4 MB.
  static let limit = 50_000
  /// The longest text in bytes.
  static let lengthLimit = 80

  private(set) var byField: [Filter.Field: [TextHash: String]] = [:]
  private(set) var count = 0

  static func mayHave(_ text: String) -> Bool { text.utf8.count <= lengthLimit }

  mutating func insert(_ texts: [Filter.Field: [TextHash: String]]) {
    for (field, texts) in texts {
      for (hash, text) in texts {
        guard !isFull(field) else { break }
        if byField[field, default: [:]].updateValue(text, forKey: hash) == nil { count += 1 }
      }
    }
  }

  /// Whether a field may have other texts than those that are known.
  func isFull(_ field: Filter.Field) -> Bool {
    count >= Self.limit || byField[field]?.count ?? 0 >= Self.fieldLimit
  }

  /// The texts that `used` returns of each field.
  func keeping(
    _ used: (Filter.Field, Dictionary<TextHash, String>.Keys) -> Set<TextHash>
  ) -> KnownTexts {
    var kept = KnownTexts()
    for (field, texts) in byField {
      let used = used(field, texts.keys)
      kept.insert([field: texts.filter { used.contains($0.key) }])
    }
    return kept
  }

  /// The approximate memory in bytes.
  var size: Int { count * (MemoryLayout<(TextHash, String)>.stride + Self.lengthLimit / 2) }
}
