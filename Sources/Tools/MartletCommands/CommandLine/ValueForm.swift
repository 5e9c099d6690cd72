import PushPayload

/// The form of an option's value, and its type in Swift.
package struct ValueForm<Value: Sendable>: Sendable {
  package let description: ValueDescription
  /// Whether errors omit the text, because it may contain a password.
  private let isSecret: Bool
  /// Returns `nil` if the text does not have this form.
  private let parse: @Sendable (String) -> Value?

  /// - Parameters:
  ///   - placeholder: The word for the value in help, such as `HOST:PORT`.
  ///   - takes: The accepted values in an error message; by default the placeholder.
  ///   - completion: The suggestions of a shell.
  ///   - isSecret: Whether errors omit the text.
  ///   - parse: Returns `nil` if the text does not have this form.
  package init(
    _ placeholder: String, takes: String? = nil, completion: Completion = .nothing,
    isSecret: Bool = false, parse: @escaping @Sendable (String) -> Value?
  ) {
    description = ValueDescription(
      placeholder: placeholder, takes: takes ?? placeholder, completion: completion,
      isSecret: isSecret)
    self.isSecret = isSecret
    self.parse = parse
  }

  /// - Throws: ``UsageError`` with the option's name and its accepted values.
  func value(_ text: String, of name: String) throws(UsageError) -> Value {
    guard let value = parse(text) else {
      throw UsageError("\(name) takes \(description.takes)" + (isSecret ? "" : ", not \"\(text)\""))
    }
    return value
  }
}

/// The words for a value, and the suggestions of a shell.
package struct ValueDescription: Sendable {
  package var placeholder: String
  package var takes: String
  package var completion: Completion
  /// Whether the value may contain a password.
  package var isSecret = false
}

/// The suggestions of a shell for a value or an operand.
package enum Completion: Hashable, Sendable {
  case nothing
  case files
  case folders
  case words([String])
}

extension ValueForm<String> {
  /// Any text.
  package static func text(_ placeholder: String) -> ValueForm {
    ValueForm(placeholder) { $0 }
  }

  /// The path of a file.
  package static func file(_ placeholder: String = "FILE") -> ValueForm {
    ValueForm(placeholder, completion: .files) { $0 }
  }

  /// The path of a folder.
  package static var folder: ValueForm { ValueForm("DIR", completion: .folders) { $0 } }

  /// An `apns-push-type`, which may be unknown here.
  package static var pushType: ValueForm {
    ValueForm("TYPE", completion: .words(PushType.all.map(\.rawValue))) { $0 }
  }

  /// One of several words.
  package static func oneOf(_ words: [String]) -> ValueForm {
    let list = words.joined(separator: "|")
    let takes = words.joined(separator: ", ")
    return ValueForm(list, takes: takes, completion: .words(words)) {
      words.contains($0) ? $0 : nil
    }
  }
}

extension ValueForm where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
  /// One of an enumeration's cases, by its raw value.
  package static func oneOf(_ type: Value.Type, placeholder: String? = nil) -> ValueForm {
    let words = Value.allCases.map(\.rawValue)
    return ValueForm(
      placeholder ?? words.joined(separator: "|"), takes: words.joined(separator: ", "),
      completion: .words(words)
    ) { Value(rawValue: $0) }
  }
}

extension ValueForm<Int> {
  /// A whole number within a range.
  package static func count(_ range: ClosedRange<Int>, _ placeholder: String = "N") -> ValueForm {
    let takes = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    return ValueForm(placeholder, takes: takes) { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// A number of bytes above 0.
  package static var size: ValueForm {
    ValueForm("SIZE", takes: "a size above 0, such as 24MiB or 500KB") { text in
      Units.size(text).flatMap { $0 > 0 ? $0 : nil }
    }
  }

  /// A number of bytes per second.
  package static var rate: ValueForm {
    ValueForm("RATE", takes: "a rate such as 500KB/s", parse: Units.rate)
  }
}

extension ValueForm<Duration> {
  package static var duration: ValueForm {
    ValueForm("DURATION", takes: "a duration such as 200ms, 2s or 5m", parse: Units.duration)
  }

  package static var positiveDuration: ValueForm {
    ValueForm("DURATION", takes: "a duration above 0, such as 200ms, 2s or 5m") { text in
      Units.duration(text).flatMap { $0 > .zero ? $0 : nil }
    }
  }
}

extension ValueForm<SocketAddress> {
  package static var address: ValueForm { ValueForm("HOST:PORT") { SocketAddress($0) } }
}
