import Foundation
import PushModel
import PushPayload

/// One condition as the form has it: a field, a comparison and what is compared with.
struct ConditionRow: Sendable, Equatable {
  /// The API's name of the field; "" if none is chosen yet.
  var field = ""
  var comparison = ConditionComparison.equals
  var value = ""
  /// The unit of a period, the end of a range, or the radius of a circle.
  var extra = ""

  /// The name in place of a field for a filter that no row can show, which ``value`` has as JSON.
  static let keptField = "kept"
  static let parts = ["field", "is", "value", "extra"]
  /// The most values of a row; more are kept as they are.
  private static let valueLimit = 20

  var isEmpty: Bool { field.isEmpty }
  var isKept: Bool { field == Self.keptField }

  var kind: ConditionKind { parsedField.map { ConditionKind($0) } ?? .text }
  var parsedField: Filter.Field? { Filter.Field(apiName: field) }

  /// The row with a comparison and a unit that its field has.
  var fitting: ConditionRow {
    var row = self
    guard let parsed = parsedField else { return row }
    let kind = ConditionKind(parsed)
    if !kind.comparisons.contains(comparison) { row.comparison = kind.comparisons[0] }
    let input = row.comparison.input(for: kind)
    let isUnit = RelativeDate.Unit.allCases.contains { $0.letter == extra }
    if (input == .period) != isUnit { row.extra = input == .period ? "d" : "" }
    return row
  }

  /// The filter of the row.
  ///
  /// - Throws: ``RequestError`` `.invalid` with the JSON path of what is wrong.
  func filter() throws(RequestError) -> Filter { try Filter(BodyValue(json())) }

  /// What is wrong with the row, and the part of it that has to be changed; `nil` if nothing is.
  var problem: (message: String, part: String)? {
    guard !isEmpty else { return nil }
    let input = comparison.input(for: kind)
    if !isKept, input != .nothing, value.isEmpty { return ("Enter a value.", "value") }
    if !isKept, input == .range, extra.isEmpty { return ("Enter the end of the range.", "extra") }
    if !isKept, [.integer, .float].contains(parsedField?.kind), input != .nothing,
      let text = operands.first(where: { scalar($0).string != nil })
    {
      let isWhole = parsedField?.kind == .integer
      return ("“\(text)” is not \(isWhole ? "a whole number" : "a number").", "value")
    }
    if !isKept, input == .period, !(1...100_000).contains(Int(value) ?? 0) {
      return ("Enter a whole number from 1 to 100000.", "value")
    }
    if !isKept, input == .circle, circle.object == nil {
      return ("Enter a latitude and a longitude, such as 52.5, 13.4, and a radius.", "value")
    }
    do throws(RequestError) {
      _ = try filter()
      return nil
    } catch {
      let path = error.path ?? ""
      let words =
        error.message.hasPrefix(path) ? error.message.dropFirst(path.count) : " is refused"
      return ("The \(path.hasSuffix(".name") ? "field" : "value")\(words)", "value")
    }
  }

  /// The condition in words.
  var words: String {
    guard !isKept else { return (try? filter())?.words ?? value }
    let title = parsedField?.title ?? field
    let comparison = comparison.title(for: kind)
    let operand =
      switch self.comparison.input(for: kind) {
      case .nothing: ""
      case .range: "\(value) and \(extra)"
      case .circle: "\(extra) m of \(value)"
      case .period: "\(value) \(unit.map { $0.rawValue + (value == "1" ? "" : "s") } ?? extra)"
      case .text, .list, .number, .date, .times: value
      }
    if comparison.contains("…") { return "\(title) \(comparison.replacing("…", with: operand))" }
    return operand.isEmpty ? "\(title) \(comparison)" : "\(title) \(comparison) \(operand)"
  }

  private var unit: RelativeDate.Unit? { RelativeDate.Unit.allCases.first { $0.letter == extra } }
}

// MARK: JSON

extension ConditionRow {
  /// The filter in the API's form; a value of the wrong kind stays as it is, so that the API refuses it.
  func json() throws(RequestError) -> JSONValue {
    guard !isKept else {
      return try BodyValue(parsing: Array(value.utf8), as: "the filter").value
    }
    let isPast: Bool = if case .builtIn? = parsedField { true } else { false }
    let criteria: JSONValue =
      switch comparison {
      case .happened: [["gte": 1]]
      case .never: [0]
      case .yes: [true]
      case .no: [false]
      case .equals, .differs: [scalar(value)]
      case .any, .none: .array(operands.map(scalar))
      case .last, .notLast:
        // An attribute may also be a date in the future.
        isPast ? [["gte": period("-")]] : [["gte": period("-"), "lte": "+0d"]]
      case .ago: [["lt": period("-")]]
      case .next: [["gte": "+0d", "lte": period("+")]]
      case .gte, .lte, .gt, .lt: [.object([comparison.rawValue: scalar(value)])]
      case .between: [["gte": scalar(value), "lte": scalar(extra)]]
      case .within, .notWithin: [circle]
      case .isSet, .isNotSet: [["exists": true]]
      }
    var members: [String: JSONValue] = ["name": .string(field), "criteria": criteria]
    if comparison.isNegated { members["not_filter"] = true }
    return .object(members)
  }

  /// The values that are compared with.
  private var operands: [String] {
    switch comparison {
    case .any, .none:
      value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    case .between: [value, extra]
    default: [value]
    }
  }

  private func period(_ sign: String) -> JSONValue { .string(sign + value + extra) }

  private func scalar(_ text: String) -> JSONValue {
    switch parsedField?.kind {
    case .integer: Int64(text).map(JSONValue.integer) ?? .string(text)
    case .float: .decimal(text) ?? .string(text)
    case .string, .boolean, .date, .version, .place, nil: .string(text)
    }
  }

  private var circle: JSONValue {
    let place = value.split(whereSeparator: { $0 == "," || $0 == " " }).compactMap {
      Double(decimal: $0)
    }
    guard place.count == 2, let radius = Double(decimal: extra) else { return .string(value) }
    return ["lat": .number(place[0]), "lng": .number(place[1]), "radius": .number(radius)]
  }

  /// The row that shows a filter, or one that keeps it; the row's filter is the same in either case.
  init(_ filter: Filter) {
    self.init(field: filter.field.apiName)
    for comparison in kind.comparisons where filter.criteria.count <= Self.valueLimit {
      for (value, extra) in Self.operands(filter) {
        self.comparison = comparison
        (self.value, self.extra) = (value, extra)
        if isTypable, (try? self.filter()) == filter { return }
      }
    }
    self.init(
      field: Self.keptField,
      value: String(decoding: filter.stored.serialized(), as: UTF8.self).withoutControls)
  }

  /// Whether the fields of a form have the value as it is: without white space around it, without control characters,
  /// and without a relative date in place of a day.
  private var isTypable: Bool {
    let isDay = comparison.input(for: kind) == .date
    return value == value.trimmingCharacters(in: .whitespacesAndNewlines)
      && !value.unicodeScalars.contains { $0.properties.generalCategory == .control }
      && !(isDay && RelativeDate(value) != nil)
  }

  /// What the parts of the row may be, of which some comparison makes the filter.
  private static func operands(_ filter: Filter) -> [(value: String, extra: String)] {
    var operands = [("", "")]
    operands.append((filter.criteria.compactMap(\.text).joined(separator: ", "), ""))
    switch filter.criteria.first {
    case .range(let bounds)?:
      operands.append((bounds[0].value.shown, bounds.count > 1 ? bounds[1].value.shown : ""))
      for bound in bounds {
        guard let date = bound.value.string.flatMap({ RelativeDate($0) }) else { continue }
        operands.append((String(abs(date.count)), date.unit.letter))
      }
    case .within(let circle)?:
      let place = [circle.latitude, circle.longitude].map { JSONValue.number($0).shown }
      operands.append((place.joined(separator: ", "), JSONValue.number(circle.radius).shown))
    case .equals?, .exists?, nil: break
    }
    return operands
  }
}

extension Filter.Criterion {
  fileprivate var text: String? { if case .equals(let value) = self { value.shown } else { nil } }
}

extension JSONValue {
  /// A scalar as a person writes it: a number without a needless fraction, midnight as a date.
  var shown: String {
    if let text = string {
      return text.replacing(/T00:00:00(\.0+)?Z$/, with: "")
    }
    if let number = integer { return String(number) }
    if let bool { return bool ? "yes" : "no" }
    guard let number else { return "" }
    return Int64(exactly: number).map { String($0) } ?? String(number)
  }
}

extension String {
  /// JSON in which U+007F to U+009F are escaped, since a page has other characters in their place.
  fileprivate var withoutControls: String {
    unicodeScalars.reduce(into: "") { text, scalar in
      if (0x7f...0x9f).contains(scalar.value) {
        text += "\\u00" + String(scalar.value, radix: 16)
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
  }
}
