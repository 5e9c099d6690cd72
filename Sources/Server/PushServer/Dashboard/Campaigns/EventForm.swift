import Foundation
import PushModel
import PushPayload

/// An event with its conditions, in fields whose names have a prefix.
///
/// A condition that no row can represent goes to a hidden field, unchanged.
struct EventForm: Sendable {
  /// A condition: a member of the event's data, a comparison and a value.
  struct Condition: Sendable, Equatable {
    /// The row of the form, from 0.
    var row = 0
    var name = ""
    var comparison = ConditionComparison.equals
    var value = ""

    var isEmpty: Bool { name.isEmpty && value.isEmpty }
  }

  /// The comparisons of the conditions, in the order of their menus.
  static let comparisons: [ConditionComparison] = [
    .equals, .differs, .any, .none, .gte, .lte, .gt, .lt,
  ]

  var prefix: String
  var name = ""
  /// The rows that are filled in.
  var conditions: [Condition] = []
  var keptConditions: [JSONValue] = []
  /// The members of the event for which the form has no field.
  var keptMembers: [String: JSONValue] = [:]

  /// The row after the last one that is filled in.
  private var nextRow: Int {
    min((conditions.last?.row ?? -1) + 1, TriggerRule.conditionLimit - 1)
  }

  /// The first field of the row after the last one that is filled in.
  var nextField: String { Self.fieldName(prefix, row: nextRow, "name") }

  /// The number of rows that the form shows: those up to the last one that is filled in, and the next one if it is the
  /// first, or if it gets the focus.
  func rowCount(focus: String?) -> Int {
    let filled = (conditions.last?.row ?? -1) + 1
    return focus == nextField ? nextRow + 1 : max(filled, 1)
  }

  var isEmpty: Bool { name.isEmpty && conditions.isEmpty && keptConditions.isEmpty }

  static func fieldName(_ prefix: String, _ part: String) -> String { "\(prefix)_\(part)" }
  static func fieldName(_ prefix: String, row: Int, _ part: String) -> String {
    "\(prefix)_c\(row)_\(part)"
  }

  /// The action of the button that removes a condition.
  static func removal(_ prefix: String, row: Int) -> String { "condition-remove-\(prefix)-\(row)" }

  /// Parses the action of a button that removes a condition; `nil` if it is another one.
  static func removed(by action: String) -> (prefix: String, row: Int)? {
    guard let match = action.wholeMatch(of: /condition-remove-([a-z]+\d?)-(\d)/),
      let row = Int(match.2), row < TriggerRule.conditionLimit
    else { return nil }
    return (String(match.1), row)
  }

  /// Reads the fields of a form.
  init(_ prefix: String, in form: Form) {
    self.prefix = prefix
    name = form[Self.fieldName(prefix, "event")] ?? ""
    conditions = (0..<TriggerRule.conditionLimit).map { row in
      Condition(
        row: row, name: form[Self.fieldName(prefix, row: row, "name")] ?? "",
        comparison: Self.comparison(form[Self.fieldName(prefix, row: row, "is")] ?? "") ?? .equals,
        value: form[Self.fieldName(prefix, row: row, "value")] ?? "")
    }.filter { !$0.isEmpty }
    keptConditions =
      form[Self.fieldName(prefix, "where")].flatMap { try? JSONValue(parsing: $0) }?.array ?? []
    keptMembers = CampaignForm.members(form[Self.fieldName(prefix, "kept")])
  }

  fileprivate static func comparison(_ name: String) -> ConditionComparison? {
    comparisons.first { $0.rawValue == name }
  }

  /// Reads an event of a document.
  init(_ prefix: String, stored: JSONValue) {
    self.prefix = prefix
    name = stored["event"]?.string ?? ""
    for element in stored["where"]?.array ?? [] {
      if var condition = Condition(element) {
        condition.row = conditions.count
        conditions.append(condition)
      } else {
        keptConditions.append(element)
      }
    }
    keptMembers = stored.without(["event", "where"])?.object ?? [:]
  }

  func write(to form: inout CampaignForm) {
    form.set(Self.fieldName(prefix, "event"), name)
    for condition in conditions {
      let row = condition.row
      form.set(Self.fieldName(prefix, row: row, "name"), condition.name)
      form.set(Self.fieldName(prefix, row: row, "is"), condition.comparison.rawValue)
      form.set(Self.fieldName(prefix, row: row, "value"), condition.value)
    }
    if !keptConditions.isEmpty {
      let text = String(decoding: JSONValue.array(keptConditions).serialized(), as: UTF8.self)
      form.set(Self.fieldName(prefix, "where"), text)
    }
    if !keptMembers.isEmpty {
      form.set(Self.fieldName(prefix, "kept"), CampaignForm.text(keptMembers))
    }
  }

  var json: JSONValue {
    var members = keptMembers
    members["event"] = .string(name)
    let all = conditions.map(\.json) + keptConditions
    if !all.isEmpty { members["where"] = .array(all) }
    return .object(members)
  }

  /// The mistakes in the event and its conditions, each at its field; `title` names the event in their messages.
  func problems(_ title: String) -> [CampaignForm.Remark] {
    var all: [CampaignForm.Remark] = []
    if name.isEmpty {
      all.append(
        .refusal(
          "\(title): enter the name of the event.", at: Self.fieldName(prefix, "event")))
    } else if !Attribute.isName(name) {
      all.append(
        .refusal(
          "\(title): “\(name)” is not the name of an event.",
          at: Self.fieldName(prefix, "event")))
    }
    for condition in conditions {
      let row = condition.row
      func refuse(_ message: String, at part: String) {
        all.append(
          .refusal(
            "\(title), condition \(row + 1): \(message)", at: Self.fieldName(prefix, row: row, part)
          ))
      }
      if condition.name.isEmpty { refuse("enter what of the event is compared.", at: "name") }
      if condition.value.isEmpty {
        refuse("enter a value.", at: "value")
      } else if condition.isOrder, EventForm.number(condition.value) == nil {
        refuse("“\(condition.value)” is not a number.", at: "value")
      }
    }
    return all
  }

  // MARK: Values

  /// Parses a decimal number; returns `nil` if the text is not one.
  fileprivate static func number(_ text: String) -> JSONValue? {
    guard text.wholeMatch(of: /-?\d{1,18}(\.\d{1,9})?/) != nil else { return nil }
    return Int64(text).map(JSONValue.integer) ?? Double(text).map(JSONValue.number)
  }

  /// Parses a number, `true` or `false`, or else a text, which quotation marks may enclose.
  fileprivate static func value(_ text: String) -> JSONValue {
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
      return .string(String(text.dropFirst().dropLast()))
    }
    return number(text) ?? Bool(text).map(JSONValue.bool) ?? .string(text)
  }

  /// The text from which ``value(_:)`` reads a value; `nil` if it is `null`, an object or an array.
  fileprivate static func text(_ value: JSONValue) -> String? {
    if let text = value.string {
      let isPlain =
        Self.value(text) == value && text == text.trimmingCharacters(in: .whitespaces)
      return isPlain ? text : "\"\(text)\""
    }
    return value.bool.map { String($0) } ?? value.integer.map { String($0) }
      ?? value.number.map { String($0) }
  }
}

extension EventForm.Condition {
  /// Whether the comparison orders values, so that the value must be a number.
  fileprivate var isOrder: Bool { [.gte, .lte, .gt, .lt].contains(comparison) }

  fileprivate var json: JSONValue {
    let criteria: [JSONValue] =
      switch comparison {
      case .gte, .lte, .gt, .lt: [[comparison.rawValue: EventForm.value(value)]]
      case .any, .none:
        value.split(separator: ",").map {
          EventForm.value($0.trimmingCharacters(in: .whitespaces))
        }
      default: [EventForm.value(value)]
      }
    var members: [String: JSONValue] = ["name": .string(name), "criteria": .array(criteria)]
    if comparison.isNegated { members["not_filter"] = true }
    return .object(members)
  }

  /// Reads a stored condition; `nil` if the row would write it differently.
  fileprivate init?(_ stored: JSONValue) {
    guard let name = stored["name"]?.string, let criteria = stored["criteria"]?.array else {
      return nil
    }
    let isNegated = stored["not_filter"]?.bool ?? false
    if criteria.count == 1, let range = criteria[0].object, range.count == 1,
      let bound = range.first, let comparison = EventForm.comparison(bound.key),
      let value = EventForm.text(bound.value)
    {
      self.init(name: name, comparison: comparison, value: value)
    } else {
      let values = criteria.compactMap(EventForm.text)
      guard values.count == criteria.count, let first = values.first else { return nil }
      let isOne = values.count == 1
      self.init(
        name: name, comparison: isNegated ? (isOne ? .differs : .none) : (isOne ? .equals : .any),
        value: isOne ? first : values.joined(separator: ", "))
    }
    var plain = stored.object ?? [:]
    if !isNegated { plain["not_filter"] = nil }
    guard json == .object(plain) else { return nil }
  }
}
