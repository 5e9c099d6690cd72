package import PushPayload

/// The positions of all values of a JSON document, and the faults that a decoder does not report: repeated
/// keys, and the position of a syntax error.
///
/// The grammar is exactly that of RFC 8259. The parser is not recursive, so no input can exhaust the stack.
package struct JSONScan: Sendable {
  /// A value of the document.
  struct Node: Sendable {
    /// The step from its parent, such as `.aps`, `[0]` or `['a.b']`.
    var step: String
    /// The offset of a member's key, or of an element's value.
    var offset: Int
    /// The bytes of the value.
    var value: Range<Int>
    /// The indices in ``nodes``.
    var parent: Int?
    var children: [Int] = []
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []
  /// The indices of members whose object already has a member with the same key.
  private(set) var repeated: [Int] = []
  private(set) var fault: JSONFault?
  /// Whether the document begins with a byte order mark.
  let hasByteOrderMark: Bool

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    do throws(JSONFault) {
      var tokens = try JSONTokens(bytes)
      try read(&tokens)
    } catch {
      fault = error
    }
  }

  /// An object or array whose end was not read yet.
  private struct Open {
    var node: Int
    var isObject: Bool
    var keys: Set<String> = []
  }

  private mutating func read(_ tokens: inout JSONTokens) throws(JSONFault) {
    var open: [Open] = []
    try readValue(&tokens, step: "", offset: nil, open: &open)
    while let last = open.last {
      let isFirst = nodes[last.node].children.isEmpty
      let end: UInt8 = last.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      if tokens.skip(end) {
        nodes[last.node].value = nodes[last.node].value.lowerBound..<tokens.offset
        open.removeLast()
        continue
      }
      if !isFirst { try tokens.expect(UInt8(ascii: ",")) }
      if last.isObject {
        tokens.skipSpace()
        let offset = tokens.offset
        let key = try tokens.string()
        try tokens.expect(UInt8(ascii: ":"))
        let isNew = open[open.count - 1].keys.insert(key).inserted
        if !isNew { repeated.append(nodes.count) }
        try readValue(&tokens, step: Self.step(key), offset: offset, open: &open)
      } else {
        let step = "[\(nodes[last.node].children.count)]"
        try readValue(&tokens, step: step, offset: nil, open: &open)
      }
    }
    tokens.skipSpace()
    if !tokens.isAtEnd { throw tokens.fault("has text after its end") }
  }

  private mutating func readValue(
    _ tokens: inout JSONTokens, step: String, offset: Int?, open: inout [Open]
  ) throws(JSONFault) {
    tokens.skipSpace()
    let start = tokens.offset
    let parent = open.last?.node
    let index = nodes.count
    nodes.append(
      Node(step: step, offset: offset ?? start, value: start..<start, parent: parent))
    if let parent { nodes[parent].children.append(index) }
    if tokens.skip(UInt8(ascii: "{")) {
      open.append(Open(node: index, isObject: true))
    } else if tokens.skip(UInt8(ascii: "[")) {
      open.append(Open(node: index, isObject: false))
    } else {
      _ = try tokens.scalar()
      nodes[index].value = start..<tokens.offset
      return
    }
    if open.count > JSONValue.maximumDepth {
      throw JSONFault(
        kind: .depth, offset: start,
        message: "nests deeper than \(JSONValue.maximumDepth) levels")
    }
  }

  /// The step to a member, in the form of `PayloadPath`.
  static func step(_ key: String) -> String {
    if key.isEmpty { return "['']" }
    let escaped = key.reduce(into: "") { text, character in
      text.append("\\")
      text.append(character)
    }
    return String(PayloadPath(escaped).description.dropFirst())
  }
}

extension JSONScan {
  /// The JSON path of a node.
  func path(of index: Int) -> String {
    var steps: [String] = []
    var next: Int? = index
    while let node = next {
      steps.append(nodes[node].step)
      next = nodes[node].parent
    }
    return "$" + steps.reversed().joined()
  }

  /// The offset of the value at a path, or of its deepest ancestor that exists.
  func offset(of path: String) -> Int {
    guard path.hasPrefix("$"), !nodes.isEmpty else { return 0 }
    var rest = path.dropFirst()
    var node = 0
    while let child = nodes[node].children.last(where: { Self.begins(rest, nodes[$0].step) }) {
      rest = rest.dropFirst(nodes[child].step.count)
      node = child
    }
    return nodes[node].offset
  }

  private static func begins(_ rest: Substring, _ step: String) -> Bool {
    guard rest.hasPrefix(step) else { return false }
    let next = rest.dropFirst(step.count).first
    return next == nil || next == "." || next == "[" || next == "<"
  }

  /// The line and column of a byte.
  package func position(of offset: Int) -> JSONPosition { JSONPosition(of: offset, in: bytes) }
}
