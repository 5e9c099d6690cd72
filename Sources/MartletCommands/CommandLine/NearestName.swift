/// The search for the known name that an unknown one most likely means.
enum NearestName {
  /// The name that differs least, or `nil` where none is near.
  ///
  /// Near is a name that begins with the word, or that a third of the word's letters changed make
  /// of it, at least one and at most three.
  static func find(_ word: String, among names: [String]) -> String? {
    if word.count > 1, let longer = names.first(where: { $0.hasPrefix(word) }) { return longer }
    let limit = min(3, max(1, word.count / 3))
    let ranked = names.map { (name: $0, distance: distance($0, word)) }
    let best = ranked.min { $0.distance < $1.distance }
    return best.flatMap { $0.distance <= limit ? $0.name : nil }
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
