extension Filter {
  /// Filters that cut strings, always between characters: a flag or a family emoji is never split.
  static let cutting: [String: Filter] = [
    "truncate": truncating(unlessGiven: 50, unit: "length") { text, length, end in
      guard text.count > length else { return text }
      return text.prefix(max(0, length - end.count)) + end
    },
    "truncatewords": truncating(unlessGiven: 15, unit: "number of words") { text, count, end in
      let words = text.split(whereSeparator: \.isWhitespace)
      guard words.count > max(1, count) else { return text }
      return words.prefix(max(1, count)).joined(separator: " ") + end
    },
    "slice": Filter(1...2) { value, arguments, budget throws(RenderingError) in
      let start = try arguments[0].wholeNumber("the start of 'slice'")
      var length = 1
      if arguments.count > 1, arguments[1].isTrue {
        length = try arguments[1].wholeNumber("the length of 'slice'")
      }
      if case .array(let elements) = value {
        try budget.spend(elements.count)
        return .array(Array(slice(elements, from: start, length: length)))
      }
      let text = try budget.text(of: value)
      try budget.spend(bytes: text.utf8.count)
      return .string(String(slice(text, from: start, length: length)))
    },
    "split": Filter(1) { value, arguments, budget throws(RenderingError) in
      let (text, separator) = (try budget.text(of: value), try budget.text(of: arguments[0]))
      try budget.spend(bytes: text.utf8.count, searchedFor: separator)
      var parts: [String] =
        if separator.isEmpty {
          text.map { String($0) }
        } else if separator == " " {
          text.split(whereSeparator: \.isWhitespace).map { String($0) }
        } else {
          ByteSearch(separator).parts(of: text)
        }
      while parts.last?.isEmpty == true { parts.removeLast() }
      try budget.spend(parts.count)
      return .array(parts.map(LiquidValue.string))
    },
    "strip_html": ofText { text in
      var bytes = Array(text.utf8)
      for (open, close) in [
        ("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"), ("<", ">"),
      ] {
        bytes = bytes.removing(from: Array(open.utf8), through: Array(close.utf8))
      }
      return String(decoding: bytes, as: UTF8.self)
    },
  ]

  /// Makes a filter that cuts a text; `nil` stays `nil`.
  private static func truncating(
    unlessGiven most: Int, unit: String,
    _ body: @escaping @Sendable (_ text: String, _ most: Int, _ end: String) -> String
  ) -> Filter {
    let filter = ofText(0...2) { text, arguments, budget throws(RenderingError) in
      let most = try arguments.first?.wholeNumber("the \(unit)") ?? most
      let end = arguments.count > 1 ? try budget.text(of: arguments[1]) : "..."
      return body(text, max(0, most), end)
    }
    return Filter(filter.arity) { value, arguments, budget throws(RenderingError) in
      if case .null = value { return .null }
      return try filter.apply(value, arguments, &budget)
    }
  }

  /// Elements from an index, which counts from the end if it is negative.
  static func slice<Elements: Collection>(
    _ elements: Elements, from start: Int, length: Int
  ) -> Elements.SubSequence {
    let count = elements.count
    let first = start < 0 ? start &+ count : start
    guard first >= 0, first < count else { return elements.prefix(0) }
    return elements.dropFirst(first).prefix(max(0, length))
  }
}

extension [UInt8] {
  /// Removes each part from an opening to its closing, both included; an opening that is not closed stays.
  fileprivate func removing(from open: [UInt8], through close: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    // The rest is not searched again after a failed search: many openings would make that slow.
    var isClosable = true
    while index < count {
      guard isClosable, has(open, at: index) else {
        result.append(self[index])
        index += 1
        continue
      }
      if let end = (index + open.count..<Swift.max(index + open.count, count)).first(where: {
        has(close, at: $0)
      }) {
        index = end + close.count
      } else {
        isClosable = false
      }
    }
    return result
  }

  private func has(_ word: [UInt8], at index: Int) -> Bool {
    guard self[index] == word[0], index + word.count <= count else { return false }
    return self[index..<index + word.count].elementsEqual(word)
  }
}
