/// A part of a compiled template.
indirect enum Node: Sendable {
  case text([UInt8])
  case output(Filtered)
  case assign(slot: Int, Filtered)
  case capture(slot: Int, [Node])
  /// The first branch whose condition holds; the last may have none.
  case branches([Branch])
  case choice(Filtered, [Choice])
  case loop(Loop)
  case count(Counter)
  case cycle(group: Filtered?, key: String, [Expression])
  case stop
  case skip

  struct Branch: Sendable {
    var condition: Condition?
    var isNegated = false
    var body: [Node]
  }

  /// `when` with its values, or `else`.
  struct Choice: Sendable {
    var values: [Expression]?
    var body: [Node]
  }

  struct Loop: Sendable {
    var slot: Int
    var forloop: Int
    var collection: Expression
    var isReversed = false
    var limit: Expression?
    var offset: Offset?
    /// Names the loop for `offset: continue` and `forloop.name`.
    var name: String
    var body: [Node]
    var otherwise: [Node]
    var place: Int
  }

  enum Offset: Sendable {
    case at(Expression)
    case resumed
  }

  /// `increment` writes and then adds 1; `decrement` takes 1 away and then writes.
  struct Counter: Sendable {
    var slot: Int
    var isUp: Bool
  }

  /// Whether it writes nothing but white space, whatever the context.
  var isBlank: Bool {
    switch self {
    case .text(let bytes): bytes.allSatisfy(\.isSpace)
    case .assign, .capture, .stop, .skip: true
    case .branches(let branches): branches.allSatisfy { $0.body.allSatisfy(\.isBlank) }
    case .choice(_, let choices): choices.allSatisfy { $0.body.allSatisfy(\.isBlank) }
    case .loop(let loop): (loop.body + loop.otherwise).allSatisfy(\.isBlank)
    case .output, .count, .cycle: false
    }
  }
}

extension [Node] {
  /// The body of a block: where it could only write white space it writes nothing.
  var asBody: [Node] {
    guard allSatisfy(\.isBlank) else { return self }
    return filter { if case .text = $0 { false } else { true } }
  }
}

/// A value, or where to find one.
indirect enum Expression: Sendable {
  case literal(LiquidValue)
  case variable(name: String, slot: Int, path: [Segment])
  case range(Expression, Expression)

  enum Segment: Sendable {
    case name(String)
    case index(Expression)
  }
}

/// An expression and the filters it goes through.
struct Filtered: Sendable {
  var base: Expression
  var calls: [Call] = []
  var offset: Int

  struct Call: Sendable {
    var filter: Filter
    var arguments: [Expression]
  }
}

/// Comparisons with `and` and `or` between them: right to left, neither before the other.
struct Condition: Sendable {
  var tests: [Test]
  /// Between each test and the next one.
  var joints: [Joint] = []
  var offset: Int

  enum Joint: Sendable { case and, or }

  struct Test: Sendable {
    var left: Expression
    var comparison: (Operator, Expression)?
  }

  enum Operator: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case oddlyUnequal = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
  }
}
