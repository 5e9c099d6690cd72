extension Filter {
  /// Filters that change the characters of a string.
  static let text: [String: Filter] = [
    "append": ofText(1...1) { text, arguments, budget throws(RenderingError) in
      text + (try budget.text(of: arguments[0]))
    },
    "prepend": ofText(1...1) { text, arguments, budget throws(RenderingError) in
      try budget.text(of: arguments[0]) + text
    },
    "upcase": ofText { text in text.uppercased() },
    "downcase": ofText { text in text.lowercased() },
    "capitalize": ofText { text in
      text.prefix(1).uppercased() + text.dropFirst().lowercased()
    },
    "strip": ofText { text in String(text[...].trimmedStart.trimmedEnd) },
    "lstrip": ofText { text in String(text[...].trimmedStart) },
    "rstrip": ofText { text in String(text[...].trimmedEnd) },
    "strip_newlines": ofText { text in text.filter { !$0.isLineFeed } },
    "newline_to_br": ofText { text in
      text.reduce(into: "") { $0 += $1.isLineFeed ? "<br />\n" : String($1) }
    },
    "replace": replacing { bytes, search in search.positions(in: bytes) },
    "replace_first": replacing { bytes, search in search.positions(in: bytes, limit: 1) },
    "replace_last": replacing(2...2) { bytes, search in
      search.lastPosition(in: bytes).map { [$0] } ?? []
    },
    "remove": removing { bytes, search in search.positions(in: bytes) },
    "remove_first": removing { bytes, search in search.positions(in: bytes, limit: 1) },
    "remove_last": removing { bytes, search in search.lastPosition(in: bytes).map { [$0] } ?? [] },
  ]

  /// Finds the offsets of the matches to replace.
  private typealias Positions = @Sendable ([UInt8], ByteSearch) -> [Int]

  private static func replacing(
    _ arity: ClosedRange<Int> = 1...2, _ positions: @escaping Positions
  ) -> Filter {
    Filter(arity) { value, arguments, budget throws(RenderingError) in
      let replacement = arguments.count > 1 ? arguments[1] : .null
      return try replace(
        arguments[0], in: value, with: replacement, at: positions, budget: &budget)
    }
  }

  private static func removing(_ positions: @escaping Positions) -> Filter {
    Filter(1) { value, arguments, budget throws(RenderingError) in
      try replace(arguments[0], in: value, with: .null, at: positions, budget: &budget)
    }
  }

  private static func replace(
    _ old: LiquidValue, in value: LiquidValue, with new: LiquidValue, at positions: Positions,
    budget: inout Budget
  ) throws(RenderingError) -> LiquidValue {
    let (text, part) = (try budget.text(of: value), try budget.text(of: old))
    let (bytes, search) = (Array(text.utf8), ByteSearch(part))
    let new = Array(try budget.text(of: new).utf8)
    try budget.spend(bytes: bytes.count, searchedFor: part)
    let found = positions(bytes, search)
    guard !found.isEmpty else { return .string(text) }
    // Checked before the result is made, because a short text may grow very long.
    try budget.check(size: bytes.count + found.count * new.count)
    let parts = search.parts(of: bytes, around: found)
    return .string(String(decoding: Array(parts.joined(separator: new)), as: UTF8.self))
  }
}

extension Character {
  /// Whether this is a line feed, or a carriage return and a line feed, which are one character.
  fileprivate var isLineFeed: Bool { self == "\n" || self == "\r\n" }
}

extension Substring {
  fileprivate var trimmedStart: Substring { drop(while: \.isWhitespace) }

  fileprivate var trimmedEnd: Substring {
    lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? ""
  }
}
