/// The operand after the options of a command.
package struct Operand: Sendable {
  /// The number of operands that a command takes.
  package enum Count: Sendable {
    case one, atMostOne, atLeastOne, any
  }

  /// The operand's name in help, such as `PAYLOAD`.
  package let name: String
  package let count: Count
  /// One line of description, without a full stop.
  package let help: String
  package let completion: Completion

  package init(_ name: String, _ count: Count, completion: Completion = .nothing, help: String) {
    self.name = name
    self.count = count
    self.help = help
    self.completion = completion
  }

  /// The name in a usage line, such as `PAYLOAD…` or `[DIR]`.
  var usage: String {
    switch count {
    case .one: name
    case .atMostOne: "[\(name)]"
    case .atLeastOne: "\(name)…"
    case .any: "[\(name)…]"
    }
  }

  /// - Throws: ``UsageError`` if there are too few or too many words.
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
