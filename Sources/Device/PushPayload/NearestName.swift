/// The search for the known name that an unknown one most likely means.
package enum NearestName {
  /// The most letters of a word that is searched for, which bounds the work for foreign words.
  package static let limit = 64

  /// Returns the name that differs least, or `nil` if no name is near.
  ///
  /// A name is near if it begins with the word. It is also near if changing a third of the word's
  /// letters, at least one and at most three, makes the name.
  package static func find(_ word: String, among names: [String]) -> String? {
    guard word.utf8.count <= limit else { return nil }
    if word.count > 1, let longer = names.first(where: { $0.hasPrefix(word) }) { return longer }
    let most = min(3, max(1, word.count / 3))
    let ranked = names.map { (name: $0, distance: distance($0, word)) }
    let best = ranked.min { $0.distance < $1.distance }
    return best.flatMap { $0.distance <= most ? $0.name : nil }
  }

  /// Whether at most `changes` letters must be inserted, removed or replaced to turn one text into
  /// the other, in any case of letters.
  package static func isNear(_ one: String, _ other: String, within changes: Int) -> Bool {
    let (one, other) = (one.lowercased(), other.lowercased())
    guard abs(one.count - other.count) <= changes else { return false }
    return distance(one, other) <= changes
  }

  /// The number of letters to insert, remove or replace to turn one word into the other
  /// (Levenshtein's distance).
  private static func distance(_ one: String, _ other: String) -> Int {
    let letters = Array(other)
    var row = Array(0...letters.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in letters.indices {
        let replaced = diagonal + (letter == letters[column] ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[letters.count]
  }
}
