package import PushPayload

/// Where each value of a JSON document stands, and what a decoder does not tell: a key that is there
/// twice, the place of a fault, how deep it nests.
///
/// The grammar is RFC 8259's, strictly. Nothing recurses, so no input can exhaust the stack.
package struct JSONScan: Sendable {
  struct Node: Sendable {
    /// How it is named in its parent: `.aps`, `[0]`, `['a.b']`.
    var step: String
    /// Of a member the key's, of an element the value's.
    var offset: Int
    var value: Range<Int>
    var parent: Int?
    var children: [Int] = []
  }

  let bytes: [UInt8]
  private(set) var nodes: [Node] = []
  /// Members whose key had stood in the same object before.
  private(set) var repeated: [Int] = []
  private(set) var fault: JSONFault?
  /// Whether a byte order mark stands before the document.
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

  /// An object or array that is still open.
  private struct Open {
    var node: Int
    var isObject: Bool
    var keys: Set<String> = []
  }

  private mutating func read(_ tokens: inout JSONTokens) throws(JSONFault) {
    var open: [Open] = []
    try value(&tokens, step: "", offset: nil, &open)
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
        try value(&tokens, step: Self.step(key), offset: offset, &open)
      } else {
        let step = "[\(nodes[last.node].children.count)]"
        try value(&tokens, step: step, offset: nil, &open)
      }
    }
    tokens.skipSpace()
    if !tokens.isAtEnd { throw tokens.fault("has text after its end") }
  }

  private mutating func value(
    _ tokens: inout JSONTokens, step: String, offset: Int?, _ open: inout [Open]
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

  /// As `PayloadPath` writes it.
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
  /// The path of a node from the top.
  func path(of index: Int) -> String {
    var steps: [String] = []
    var next: Int? = index
    while let node = next {
      steps.append(nodes[node].step)
      next = nodes[node].parent
    }
    return "$" + steps.reversed().joined()
  }

  /// Where the value at a path stands, or the deepest value on the way to it.
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
