/// A node of a compiled template.
indirect enum Node: Sendable {
  case text([UInt8])
  /// The text of `raw`, which is never taken for white space between tags.
  case verbatim([UInt8])
  case output(FilteredExpression)
  case assign(slot: Int, FilteredExpression)
  case capture(slot: Int, [Node])
  /// The first branch whose condition holds; the last branch may have no condition.
  case branches([Branch])
  case choice(FilteredExpression, [Choice])
  case loop(Loop)
  case count(Counter)
  case cycle(group: FilteredExpression?, key: String, [Expression])
  /// `ifchanged`: its output, unless the last `ifchanged` wrote the same.
  case changed([Node])
  case table(Loop)
  case breakLoop
  case continueLoop

  struct Branch: Sendable {
    var condition: Condition?
    var isNegated = false
    var body: [Node]
  }

  /// A branch of `case`: `when` with its values, or `else` without values.
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
    /// The number of columns of a `tablerow`.
    var columns: Expression?
    /// The name of the loop in `forloop.name`, which `offset: continue` also uses.
    var name: String
    var body: [Node]
    var elseBody: [Node]
    /// The offset of the tag in the source.
    var position: Int
  }

  enum Offset: Sendable {
    case at(Expression)
    case continued
  }

  /// `increment` writes the counter and then adds 1; `decrement` subtracts 1 and then writes it.
  struct Counter: Sendable {
    var slot: Int
    var isIncrement: Bool
  }

  /// Whether the node can write only white space, whatever the context.
  var isBlank: Bool {
    switch self {
    case .text(let bytes): bytes.allSatisfy(\.isSpace)
    case .verbatim(let bytes): bytes.isEmpty
    case .assign, .capture: true
    case .branches(let branches): branches.allSatisfy { $0.body.allSatisfy(\.isBlank) }
    case .choice(_, let choices): choices.allSatisfy { $0.body.allSatisfy(\.isBlank) }
    case .loop(let loop): (loop.body + loop.elseBody).allSatisfy(\.isBlank)
    case .changed(let body): body.allSatisfy(\.isBlank)
    case .output, .count, .cycle, .table, .breakLoop, .continueLoop: false
    }
  }
}

extension [Node] {
  /// The nodes without the white space between them, for a block that could write nothing else.
  var withoutText: [Node] { filter { if case .text = $0 { false } else { true } } }
}

/// An expression: a literal, a variable or a range.
indirect enum Expression: Sendable {
  case literal(LiquidValue)
  case variable(name: String, slot: Int, path: [Segment])
  /// `['a name']`. The name may also be the value of another expression.
  case lookup(Expression, path: [Segment])
  case range(Expression, Expression)

  enum Segment: Sendable {
    case name(String)
    case index(Expression)
  }
}

/// An expression and the filters that are applied to it.
struct FilteredExpression: Sendable {
  var base: Expression
  var calls: [Call] = []
  /// The offset of the expression in the source.
  var offset: Int

  /// A filter with its arguments.
  struct Call: Sendable {
    var filter: Filter
    var arguments: [Expression]
  }
}

/// Comparisons joined by `and` and `or`, which have the same precedence and are evaluated from right to left.
struct Condition: Sendable {
  var tests: [Test]
  /// The connectives between each test and the next.
  var connectives: [Connective] = []
  /// The offset of the condition in the source.
  var offset: Int

  enum Connective: Sendable { case and, or }

  struct Test: Sendable {
    var left: Expression
    var comparison: (Operator, Expression)?
  }

  enum Operator: String, Sendable {
    case equal = "=="
    case unequal = "!="
    case lessOrGreater = "<>"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contains
  }
}
