extension Template {
  /// A name of the context that a template reads.
  package struct Reference: Hashable, Sendable {
    /// The name and its members: `custom`, `first_name`.
    package var path: [String]
    /// Whether the template writes nothing if the context does not have the name: it has no `default` and no
    /// condition around it.
    package var needsDefault: Bool

    package init(_ path: [String], needsDefault: Bool = false) {
      (self.path, self.needsDefault) = (path, needsDefault)
    }
  }

  /// The names of the context that the template reads, each once, in the order of their appearance.
  ///
  /// Names that the template itself assigns are left out, and so are members whose names are computed.
  package var references: [Reference] {
    var walk = ReferenceWalk(names: names)
    walk.visit(nodes)
    return walk.found
  }
}

/// The search for the names that a template reads.
private struct ReferenceWalk {
  private(set) var found: [Template.Reference] = []
  private var known: Set<Template.Reference> = []
  /// The name of each slot.
  private let names: [Int: String]
  private var assigned: Set<String> = []
  /// The paths that the conditions around the current node test.
  private var tested: Set<[String]> = []

  init(names: NameTable) {
    self.names = names.bySlot
  }

  private mutating func add(_ path: [String], needsDefault: Bool) {
    guard let root = path.first, !assigned.contains(root) else { return }
    let reference = Template.Reference(path, needsDefault: needsDefault && !tested.contains(path))
    if known.insert(reference).inserted { found.append(reference) }
  }

  private mutating func assign(_ slot: Int) {
    if let name = names[slot] { assigned.insert(name) }
  }

  // MARK: Nodes

  mutating func visit(_ nodes: [Node]) { for node in nodes { visit(node) } }

  private mutating func visit(_ node: Node) {
    switch node {
    case .text, .verbatim, .breakLoop, .continueLoop: break
    case .output(let value): visit(value, isWritten: true)
    case .assign(let slot, let value):
      visit(value, isWritten: false)
      assign(slot)
    case .capture(let slot, let body):
      visit(body)
      assign(slot)
    case .branches(let branches): visit(branches)
    case .choice(let value, let choices):
      visit(value, isWritten: false)
      let outer = tested
      if let path = Self.path(of: value.base) { tested.insert(path) }
      for choice in choices {
        for value in choice.values ?? [] { visit(value, isWritten: false) }
        visit(choice.body)
      }
      tested = outer
    case .loop(let loop), .table(let loop): visit(loop)
    case .count(let counter): assign(counter.slot)
    case .cycle(let group, _, let values):
      if let group { visit(group, isWritten: false) }
      for value in values { visit(value, isWritten: true) }
    case .changed(let body): visit(body)
    }
  }

  private mutating func visit(_ branches: [Node.Branch]) {
    let outer = tested
    for branch in branches {
      for test in branch.condition?.tests ?? [] {
        visit(test.left, isWritten: false)
        if let path = Self.path(of: test.left) { tested.insert(path) }
        if let right = test.comparison?.1 { visit(right, isWritten: false) }
      }
      visit(branch.body)
    }
    tested = outer
  }

  private mutating func visit(_ loop: Node.Loop) {
    visit(loop.collection, isWritten: false)
    for value in [loop.limit, loop.columns].compactMap({ $0 }) { visit(value, isWritten: false) }
    if case .at(let offset)? = loop.offset { visit(offset, isWritten: false) }
    let outer = assigned
    assign(loop.slot)
    assign(loop.forloop)
    visit(loop.body)
    assigned = outer
    visit(loop.elseBody)
  }

  // MARK: Expressions

  private mutating func visit(_ value: FilteredExpression, isWritten: Bool) {
    let hasDefault = value.calls.contains { $0.filter.isDefault }
    visit(value.base, isWritten: isWritten && !hasDefault)
    for call in value.calls {
      for argument in call.arguments { visit(argument, isWritten: false) }
    }
  }

  private mutating func visit(_ expression: Expression, isWritten: Bool) {
    if let path = Self.path(of: expression) { add(path, needsDefault: isWritten) }
    switch expression {
    case .literal: break
    case .variable(_, _, let path): visit(path)
    case .lookup(let name, let path):
      visit(name, isWritten: false)
      visit(path)
    case .range(let low, let high):
      visit(low, isWritten: false)
      visit(high, isWritten: false)
    }
  }

  private mutating func visit(_ path: [Expression.Segment]) {
    for case .index(let index) in path { visit(index, isWritten: false) }
  }

  /// The name and the members of an expression, up to the first computed member.
  private static func path(of expression: Expression) -> [String]? {
    let segments: [Expression.Segment]
    var names: [String]
    switch expression {
    case .variable(let name, _, let path): (names, segments) = ([name], path)
    case .lookup(.literal(.string(let name)), let path): (names, segments) = ([name], path)
    default: return nil
    }
    for segment in segments {
      switch segment {
      case .name(let name), .index(.literal(.string(let name))): names.append(name)
      case .index: return names
      }
    }
    return names
  }
}
