extension Filter {
  /// Filters that change the letters of a text.
  static let text: [String: Filter] = [
    "append": ofText(1...1) { $0 + $1[0].text },
    "prepend": ofText(1...1) { $1[0].text + $0 },
    "upcase": ofText { text, _ in text.uppercased() },
    "downcase": ofText { text, _ in text.lowercased() },
    "capitalize": ofText { text, _ in
      text.prefix(1).uppercased() + text.dropFirst().lowercased()
    },
    "strip": ofText { text, _ in String(text[...].trimmedStart.trimmedEnd) },
    "lstrip": ofText { text, _ in String(text[...].trimmedStart) },
    "rstrip": ofText { text, _ in String(text[...].trimmedEnd) },
    "strip_newlines": ofText { text, _ in text.filter { !$0.isLineFeed } },
    "newline_to_br": ofText { text, _ in
      text.reduce(into: "") { $0 += $1.isLineFeed ? "<br />\n" : String($1) }
    },
    "replace": replacing { bytes, search in search.places(in: bytes) },
    "replace_first": replacing { bytes, search in search.places(in: bytes, most: 1) },
    "replace_last": replacing { bytes, search in
      search.lastPlace(in: bytes).map { [$0] } ?? []
    },
    "remove": removing { bytes, search in search.places(in: bytes) },
    "remove_first": removing { bytes, search in search.places(in: bytes, most: 1) },
    "remove_last": removing { bytes, search in search.lastPlace(in: bytes).map { [$0] } ?? [] },
  ]

  private typealias Places = @Sendable ([UInt8], ByteSearch) -> [Int]

  private static func replacing(_ places: @escaping Places) -> Filter {
    Filter(1...2) { value, arguments, budget throws(Exceeded) in
      try replace(value, arguments[0], arguments.count > 1 ? arguments[1] : .null, places, &budget)
    }
  }

  private static func removing(_ places: @escaping Places) -> Filter {
    Filter(1) { value, arguments, budget throws(Exceeded) in
      try replace(value, arguments[0], .null, places, &budget)
    }
  }

  private static func replace(
    _ value: LiquidValue, _ old: LiquidValue, _ new: LiquidValue, _ places: Places,
    _ budget: inout Budget
  ) throws(Exceeded) -> LiquidValue {
    let bytes = Array(value.text.utf8)
    let (search, new) = (ByteSearch(old.text), Array(new.text.utf8))
    try budget.spend(bytes: bytes.count)
    let found = places(bytes, search)
    guard !found.isEmpty else { return .string(value.text) }
    // Known before anything is made, for a short text may grow by much.
    try budget.check(size: bytes.count + found.count * new.count)
    let parts = search.parts(of: bytes, at: found)
    return .string(String(decoding: Array(parts.joined(separator: new)), as: UTF8.self))
  }
}

extension Character {
  /// A line feed, alone or after a carriage return, which are one character together.
  fileprivate var isLineFeed: Bool { self == "\n" || self == "\r\n" }
}

extension Substring {
  fileprivate var trimmedStart: Substring { drop(while: \.isWhitespace) }

  fileprivate var trimmedEnd: Substring {
    lastIndex { !$0.isWhitespace }.map { self[...$0] } ?? ""
  }
}
