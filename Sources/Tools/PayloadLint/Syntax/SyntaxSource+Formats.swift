import PushPayload

/// Files that as a whole have another format than JSON.
extension SyntaxSource {
  /// The problem of a file in another format; `nil` if the file begins as JSON does.
  var otherFormat: SyntaxProblem? {
    let start = skippingSpace(from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard start < bytes.count else {
      return SyntaxProblem("is empty; write a JSON object with the key aps", at: 0)
    }
    if bytes.prefix(4).contains(0) {
      return SyntaxProblem("has zero bytes, as UTF-16 has; save the file as UTF-8", at: 0)
    }
    if let offset = firstOffset(of: "AnyHashable(") {
      return SyntaxProblem(
        "is the printed form of a Swift dictionary; encode it with JSONSerialization", at: offset)
    }
    if bytes[start] == UInt8(ascii: "<") { return markup(at: start) }
    switch bytes[start] {
    case UInt8(ascii: "{"), UInt8(ascii: "\""): return nil
    case UInt8(ascii: "["): return logPrefix(at: start)
    default: return command(at: start) ?? base64(at: start) ?? form(at: start) ?? textBefore(start)
    }
  }

  /// A time in brackets, as loggers write it, that is followed by JSON.
  private func logPrefix(at start: Int) -> SyntaxProblem? {
    guard let brace = bytes[start...].firstIndex(of: UInt8(ascii: "{")), fault < brace,
      bytes[start..<brace].contains(UInt8(ascii: "]"))
    else { return nil }
    return textBeforeJSON(at: brace, start)
  }

  private func markup(at start: Int) -> SyntaxProblem {
    let head = String(decoding: bytes[start...].prefix(400), as: UTF8.self).lowercased()
    if head.contains("<plist") {
      return SyntaxProblem("is a property list; write the dictionary as JSON", at: start)
    }
    if head.hasPrefix("<html") || head.hasPrefix("<!doctype html") {
      return SyntaxProblem(
        "is an HTML page, perhaps the error page of a server; write a JSON object", at: start)
    }
    return SyntaxProblem("is XML or HTML; write a JSON object", at: start)
  }

  private func command(at start: Int) -> SyntaxProblem? {
    let line = String(decoding: bytes[start...].prefix { $0 != 0x0A }.prefix(200), as: UTF8.self)
    let command = line.trimmingPrefix("$ ")
    if ["curl ", "http ", "xcrun ", "echo ", "wget "].contains(where: { command.hasPrefix($0) }) {
      return SyntaxProblem("is a shell command; keep only the JSON in it", at: start)
    }
    if ["POST ", "PUT ", ":method", "HTTP/"].contains(where: { line.hasPrefix($0) }) {
      return SyntaxProblem("is an HTTP request; keep only its body", at: start)
    }
    return nil
  }

  /// Base64 of a text that begins with `{"` or `{` and a line break.
  private func base64(at start: Int) -> SyntaxProblem? {
    guard ["eyJ", "ewo", "ew0K"].contains(where: { has($0, at: start) }) else { return nil }
    return SyntaxProblem("is base64; decode it first", at: start)
  }

  private func form(at start: Int) -> SyntaxProblem? {
    let name = bytes[start...].prefix { byte in
      let letter = byte | 0x20
      return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "_-.[]%".utf8.contains(byte)
    }
    let end = start + name.count
    if !name.isEmpty, has("=", at: end), !has("{", at: end + 1), !has("[", at: end + 1),
      end + 1 < bytes.count, !Self.isSpace(bytes[end + 1])
    {
      return SyntaxProblem("is form data; send a JSON object as the body", at: start)
    }
    return nil
  }

  /// Text such as a log's before the first brace, and JSON or YAML without braces.
  private func textBefore(_ start: Int) -> SyntaxProblem? {
    if has("//", at: start) || has("/*", at: start) || has("#", at: start) {
      return SyntaxProblem("has a comment, which JSON does not have; remove it", at: start)
    }
    let first = word(at: start)
    let next = skippingSpace(from: start + first.utf8.count)
    if !first.isEmpty, has(":", at: next), first == "aps" || !bytes.contains(UInt8(ascii: "{")) {
      return SyntaxProblem(
        "is YAML, or has no braces around it; write a JSON object with keys in quotation marks",
        at: start)
    }
    return bytes[start...].firstIndex(of: UInt8(ascii: "{")).map { textBeforeJSON(at: $0, start) }
  }

  private func textBeforeJSON(at brace: Int, _ start: Int) -> SyntaxProblem {
    let position = JSONPosition(of: brace, in: bytes)
    return SyntaxProblem(
      "has text before the JSON, which begins at \(position.line):\(position.column); remove it",
      at: start)
  }

  /// The offset of an ASCII text between the last token before the fault and 200 bytes after it.
  private func firstOffset(of word: String) -> Int? {
    let end = min(fault + 200, bytes.count)
    return (min(last ?? 0, end)..<end).first { has(word, at: $0) }
  }
}

/// Problems at the end of the file, and after the end of the document.
extension SyntaxSource {
  /// The problem of something after the complete document.
  var problemAfterEnd: SyntaxProblem? {
    guard isComplete, let byte, let last else { return nil }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return SyntaxProblem(
        "has a second document after the first; send each in a request of its own", at: fault)
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      return SyntaxProblem("has a closing bracket too many; remove it", at: fault)
    case UInt8(ascii: ","):
      let next = skippingSpace(from: fault + 1)
      return SyntaxProblem(
        has("{", at: next)
          ? "has several documents; send each in a request of its own"
          : "has a comma after its end; remove it", at: fault)
    case UInt8(ascii: ";"):
      return SyntaxProblem("has a semicolon after its end; remove it", at: fault)
    case UInt8(ascii: "'"):
      return SyntaxProblem("has a quotation mark of a shell command after its end", at: fault)
    case UInt8(ascii: "/") where has("//", at: fault) || has("/*", at: fault), UInt8(ascii: "#"):
      return SyntaxProblem("has a comment, which JSON does not have; remove it", at: fault)
    case UInt8(ascii: ":"), UInt8(ascii: "="):
      guard bytes[last] == UInt8(ascii: "\"") else { break }
      return SyntaxProblem("has no braces around it; put { before it and } after it", at: 0)
    default: break
    }
    return SyntaxProblem("has text after its end; remove it", at: fault)
  }

  /// The problem of a file that ends inside the document.
  var problemAtEnd: SyntaxProblem? {
    guard isAtEnd, let bracket = open.last else { return nil }
    return cutOff(bracket)
  }

  func cutOff(_ bracket: Bracket) -> SyntaxProblem {
    let mark = bracket.isObject ? "}" : "]"
    let count = open.count
    return SyntaxProblem(
      "ends while \(count) bracket\(count == 1 ? " is" : "s are") open; add the missing “\(mark)”, "
        + "or copy the whole file: this one may be cut off", at: bytes.count)
  }
}
