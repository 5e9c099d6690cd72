extension Filter {
  /// Filters that cut strings, always between characters: a flag or a family emoji is never split.
  static let cutting: [String: Filter] = [
    "truncate": ofText(0...2) { text, arguments in
      let length = max(0, arguments.first.map { $0.index ?? 0 } ?? 50)
      let end = arguments.count > 1 ? arguments[1].text : "..."
      guard text.count > length else { return text }
      return text.prefix(max(0, length - end.count)) + end
    },
    "truncatewords": ofText(0...2) { text, arguments in
      let count = max(1, arguments.first.map { $0.index ?? 0 } ?? 15)
      let end = arguments.count > 1 ? arguments[1].text : "..."
      let words = text.split(whereSeparator: \.isWhitespace)
      guard words.count > count else { return text }
      return words.prefix(count).joined(separator: " ") + end
    },
    "slice": Filter(1...2) { value, arguments, budget throws(LimitExceeded) in
      let start = arguments[0].index ?? 0
      let length = arguments.count > 1 ? arguments[1].index ?? 0 : 1
      if case .array(let elements) = value {
        try budget.spend(elements.count)
        return .array(Array(slice(elements, from: start, length: length)))
      }
      let text = value.text
      try budget.spend(bytes: text.utf8.count)
      return .string(String(slice(text, from: start, length: length)))
    },
    "split": Filter(1) { value, arguments, budget throws(LimitExceeded) in
      let (text, separator) = (value.text, arguments[0].text)
      try budget.spend(bytes: text.utf8.count)
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
    "strip_html": ofText { text, _ in
      var bytes = Array(text.utf8)
      for (open, close) in [
        ("<script", "</script>"), ("<style", "</style>"), ("<!--", "-->"), ("<", ">"),
      ] {
        bytes = bytes.removing(from: Array(open.utf8), through: Array(close.utf8))
      }
      return String(decoding: bytes, as: UTF8.self)
    },
  ]

  /// Elements from an index, which counts from the end where it is negative.
  private static func slice<Elements: Collection>(
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
    // Once there is no closing, the rest is not searched again, which many openings would make slow.
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
