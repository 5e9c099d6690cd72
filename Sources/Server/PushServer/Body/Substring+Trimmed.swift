extension Substring {
  /// The text without the spaces and tabs around it, which a header field's value may have.
  var trimmed: Substring {
    func isSpace(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
    let start = utf8.drop(while: isSpace)
    return Substring(
      start.prefix(
        upTo: start.lastIndex { !isSpace($0) }.map(start.index(after:)) ?? start.startIndex))
  }
}
