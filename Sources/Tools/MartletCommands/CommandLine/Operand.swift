/// What may follow the options of a command, by its position.
package struct Operand: Sendable {
  /// How many a command takes.
  package enum Count: Sendable {
    case one, atMostOne, atLeastOne, any
  }

  /// The word for it in help: `PAYLOAD`.
  package let name: String
  package let count: Count
  /// One line that says what it is, without a full stop.
  package let help: String
  package let completion: Completion

  package init(_ name: String, _ count: Count, completion: Completion = .nothing, help: String) {
    self.name = name
    self.count = count
    self.help = help
    self.completion = completion
  }

  /// The name as a usage line has it: `PAYLOAD…`, `[DIR]`.
  var usage: String {
    switch count {
    case .one: name
    case .atMostOne: "[\(name)]"
    case .atLeastOne: "\(name)…"
    case .any: "[\(name)…]"
    }
  }

  /// - Throws: ``UsageError`` for too few words or too many.
  func check(_ words: [String]) throws(UsageError) {
    let isRequired = count == .one || count == .atLeastOne
    guard !isRequired || !words.isEmpty else {
      throw UsageError("missing \(name): \(help)")
    }
    let isSingle = count == .one || count == .atMostOne
    guard !isSingle || words.count <= 1 else {
      throw UsageError("takes one \(name), not also \"\(words[1])\"")
    }
    guard !words.contains("") else { throw UsageError("\(name) is empty: \(help)") }
  }
}
