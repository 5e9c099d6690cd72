import PushPayload

/// Where each value of a JSON document stands, and what a decoder does not tell: a key that is there
/// twice, the place of a fault, how deep it nests.
///
/// The grammar is RFC 8259's, strictly. Nothing recurses, so no input can exhaust the stack.
package struct JSONScan: Sendable {
  /// The decoders of phones and of this project stop here.
  static let maximumDepth = 512

  /// Why the bytes are no JSON.
  struct Fault: Error, Equatable {
    enum Kind: Sendable { case syntax, encoding, depth }
    var kind: Kind
    var offset: Int
    var message: String
  }

  /// A line and a column, from 1; columns count Unicode scalars.
  package struct Position: Hashable, Sendable {
    package var line: Int
    package var column: Int
  }

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
  private(set) var fault: Fault?
  /// Whether a byte order mark stands before the document.
  let hasByteOrderMark: Bool

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    if let offset = Self.invalidUTF8(in: bytes) {
      fault = Fault(kind: .encoding, offset: offset, message: "is no UTF-8")
      return
    }
    var tokens = JSONTokens(bytes, from: hasByteOrderMark ? 3 : 0)
    do {
      try read(&tokens)
    } catch {
      fault = error
    }
  }

  private static func invalidUTF8(in bytes: [UInt8]) -> Int? {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }

  /// An object or array that is still open.
  private struct Open {
    var node: Int
    var isObject: Bool
    var keys: Set<String> = []
  }

  private mutating func read(_ tokens: inout JSONTokens) throws(Fault) {
    var open: [Open] = []
    try value(&tokens, step: "", offset: nil, &open)
    while let last = open.last {
      let isFirst = nodes[last.node].children.isEmpty
      let end: UInt8 = last.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      if tokens.take(end) {
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
    if !tokens.isAtEnd { throw tokens.fault("has something behind its end") }
  }

  private mutating func value(
    _ tokens: inout JSONTokens, step: String, offset: Int?, _ open: inout [Open]
  ) throws(Fault) {
    tokens.skipSpace()
    let start = tokens.offset
    let parent = open.last?.node
    let index = nodes.count
    nodes.append(
      Node(step: step, offset: offset ?? start, value: start..<start, parent: parent))
    if let parent { nodes[parent].children.append(index) }
    if tokens.take(UInt8(ascii: "{")) {
      open.append(Open(node: index, isObject: true))
    } else if tokens.take(UInt8(ascii: "[")) {
      open.append(Open(node: index, isObject: false))
    } else {
      try tokens.scalar()
      nodes[index].value = start..<tokens.offset
      return
    }
    if open.count > Self.maximumDepth {
      throw Fault(
        kind: .depth, offset: start, message: "nests deeper than \(Self.maximumDepth) levels")
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

  /// Why the bytes are no JSON, and where: `line 1, column 23: has something else where …`; `nil`
  /// where they are.
  package var refusal: String? {
    guard let fault else { return nil }
    let place = position(of: fault.offset)
    return "line \(place.line), column \(place.column): \(fault.message)"
  }

  /// The line and column of a byte.
  package func position(of offset: Int) -> Position {
    var position = Position(line: 1, column: 1)
    for byte in bytes.prefix(offset) {
      if byte == UInt8(ascii: "\n") {
        position.line += 1
        position.column = 1
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }
}
