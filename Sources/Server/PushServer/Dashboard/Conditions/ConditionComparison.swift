import PushModel

/// The comparison of a condition, under the name that the form submits.
enum ConditionComparison: String, CaseIterable, Sendable {
  case happened, never
  case yes, no
  case equals = "is"
  case differs = "is_not"
  case any, none
  case last
  case notLast = "not_last"
  case ago, next
  case gte, lte, gt, lt, between
  case within
  case notWithin = "not_within"
  case isSet = "set"
  case isNotSet = "not_set"

  /// The fields beside the menu of comparisons.
  enum Input: Sendable {
    case nothing, text, list, number, date, period, range, circle, times
  }

  /// The fields that the comparison has for values of a kind.
  func input(for kind: ConditionKind) -> Input {
    switch self {
    case .happened, .never, .yes, .no, .isSet, .isNotSet: .nothing
    case .any, .none: .list
    case .last, .notLast, .ago, .next: .period
    case .between: .range
    case .within, .notWithin: .circle
    case .equals, .differs, .gte, .lte, .gt, .lt:
      switch kind {
      case .number: .number
      case .times: .times
      case .date: .date
      case .text, .tags, .version, .boolean, .place: .text
      }
    }
  }

  /// The words of the comparison; “…” stands for the value within them.
  func title(for kind: ConditionKind) -> String {
    switch (self, kind) {
    case (.equals, .tags): "include"
    case (.differs, .tags): "do not include"
    case (.any, .tags): "include any of"
    case (.none, .tags): "include none of"
    case (.isSet, .tags): "are set"
    case (.isNotSet, .tags): "are not set"
    case (.equals, .times): "happened exactly … times"
    case (.gte, .times): "happened at least … times"
    case (.lte, .times): "happened at most … times"
    case (.gt, .times): "happened more than … times"
    case (.lt, .times): "happened less than … times"
    case (.gte, .date): "is on or after"
    case (.lt, .date), (.lt, .version): "is before"
    case (.gt, .version): "is after"
    default: title
    }
  }

  private var title: String {
    switch self {
    case .happened: "happened"
    case .never: "never happened"
    case .yes: "is yes"
    case .no: "is no"
    case .equals: "is"
    case .differs: "is not"
    case .any: "is any of"
    case .none: "is none of"
    case .last: "is in the last"
    case .notLast: "is not in the last"
    case .ago: "is more than … ago"
    case .next: "is in the next"
    case .gte: "is at least"
    case .lte: "is at most"
    case .gt: "is more than"
    case .lt: "is less than"
    case .between: "is between"
    case .within: "is within"
    case .notWithin: "is not within"
    case .isSet: "is set"
    case .isNotSet: "is not set"
    }
  }

  /// Whether the condition holds where the comparison without its “not” does not.
  var isNegated: Bool {
    switch self {
    case .differs, .none, .notLast, .notWithin, .isNotSet: true
    default: false
    }
  }
}

/// The kind of the values of a condition's field, which decides its comparisons.
enum ConditionKind: Sendable {
  case text, tags, number, times, boolean, date, version, place

  init(_ field: Filter.Field) {
    switch field {
    case .builtIn(.tags): self = .tags
    case .event: self = .times
    default:
      switch field.kind {
      case .string: self = .text
      case .integer, .float: self = .number
      case .boolean: self = .boolean
      case .date: self = .date
      case .version: self = .version
      case .place: self = .place
      }
    }
  }

  /// The comparisons in the order of the menu, the most frequent one first.
  var comparisons: [ConditionComparison] {
    switch self {
    case .text, .tags: [.equals, .differs, .any, .none, .isSet, .isNotSet]
    case .number:
      [.equals, .differs, .gte, .lte, .gt, .lt, .between, .any, .none, .isSet, .isNotSet]
    case .times: [.happened, .never, .gte, .lte, .equals, .gt, .lt]
    case .boolean: [.yes, .no, .isSet, .isNotSet]
    case .date: [.last, .notLast, .ago, .next, .gte, .lt, .isSet, .isNotSet]
    case .version: [.equals, .differs, .gte, .lt, .gt, .lte, .any, .none, .isSet, .isNotSet]
    case .place: [.within, .notWithin, .isSet, .isNotSet]
    }
  }

  /// The kind in a word for the menu of fields; `nil` if the field's group says it.
  var word: String? {
    switch self {
    case .text: "text"
    case .number: "number"
    case .boolean: "yes or no"
    case .date: "date"
    case .version: "version"
    case .tags, .times, .place: nil
    }
  }
}
