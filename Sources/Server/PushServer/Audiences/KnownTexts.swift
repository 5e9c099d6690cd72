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

  /// A text of a field.
  struct Text: Comparable, Sendable {
    var hash: TextHash
    var text: String
    /// The text in lowercase, by which texts are ordered and searched.
    var lowercased: String

    init(_ text: String, _ hash: TextHash) {
      (self.hash, self.text, lowercased) = (hash, text, text.lowercased())
    }

    static func < (left: Text, right: Text) -> Bool {
      (left.lowercased, left.text) < (right.lowercased, right.text)
    }
  }

  /// The texts of each field in the order of the alphabet, so that no page has to sort them.
  private(set) var byField: [Filter.Field: [Text]] = [:]
  private var hashes: [Filter.Field: Set<TextHash>] = [:]
  private(set) var count = 0

  static func mayHave(_ text: String) -> Bool { text.utf8.count <= lengthLimit }

  mutating func insert(_ texts: [Filter.Field: [TextHash: String]]) {
    for (field, texts) in texts {
      var isChanged = false
      for (hash, text) in texts {
        guard !isFull(field) else { break }
        guard hashes[field, default: []].insert(hash).inserted else { continue }
        byField[field, default: []].append(Text(text, hash))
        count += 1
        isChanged = true
      }
      if isChanged { byField[field]?.sort() }
    }
  }

  /// Whether a field may have other texts than those that are known.
  func isFull(_ field: Filter.Field) -> Bool {
    count >= Self.limit || byField[field]?.count ?? 0 >= Self.fieldLimit
  }

  /// The texts that `used` returns of each field.
  func keeping(_ used: (Filter.Field, Set<TextHash>) -> Set<TextHash>) -> KnownTexts {
    var kept = KnownTexts()
    for (field, texts) in byField {
      let used = used(field, hashes[field] ?? [])
      kept.byField[field] = texts.filter { used.contains($0.hash) }
      kept.hashes[field] = used
      kept.count += used.count
    }
    return kept
  }
}
