import Foundation
import PushModel
import PushPayload

/// The conditions of an audience as a form has them: rows that all hold, alternatives, and exclusions.
///
/// A form's fields for them begin with ``prefix``. A form can have them beside fields of its own.
struct AudienceConditions: Sendable, Equatable {
  /// The part of the conditions to which a group belongs.
  enum Part: String, Sendable { case any, except }

  /// What all names of fields, identifiers and actions of the conditions begin with.
  static let prefix = "who"

  var rows: [ConditionRow] = []
  var any: [ConditionGroup] = []
  var except: [ConditionGroup] = []

  init() {}

  init(_ audience: Audience) {
    rows = audience.filters.map { ConditionRow($0) }
    any = audience.any.map { ConditionGroup($0) }
    except = audience.except.map { ConditionGroup($0) }
  }

  /// Reads the target of a document; `nil` if it is not a list of filters or a choice.
  init?(target: JSONValue) {
    var audience = Audience(id: "", app: "", filters: [], createdAt: Timestamp(milliseconds: 0))
    switch try? Target(BodyValue(target)) {
    case .filters(let filters)? where target.array != nil: audience.filters = filters
    case .choice(let choice)?:
      audience.filters = choice.filters
      audience.any = choice.any.elements.map(\.part)
      audience.except = choice.except.elements.map(\.part)
    default: return nil
    }
    self.init(audience)
  }

  /// Whether nothing is chosen in them.
  var isEmpty: Bool {
    rows.allSatisfy(\.isEmpty) && any.allSatisfy(\.isEmpty) && except.allSatisfy(\.isEmpty)
  }

  /// The rows and groups in which everything is chosen, which can be counted.
  var complete: AudienceConditions {
    func complete(_ rows: [ConditionRow]) -> [ConditionRow] {
      rows.filter { !$0.isEmpty && $0.problem == nil }
    }
    func complete(_ groups: [ConditionGroup]) -> [ConditionGroup] {
      groups.map { group in
        if case .conditions(let rows) = group { .conditions(complete(rows)) } else { group }
      }.filter { !$0.isEmpty }
    }
    var conditions = AudienceConditions()
    (conditions.rows, conditions.any, conditions.except) =
      (complete(rows), complete(any), complete(except))
    return conditions
  }

  /// The target in the API's form: a list of filters, or an object with `all`, `any` and `except`.
  ///
  /// - Throws: ``RequestError`` if the JSON of a kept filter is damaged.
  func target() throws(RequestError) -> JSONValue {
    guard any.isEmpty, except.isEmpty else { return try json() }
    return .array(try rows.json())
  }

  /// The target as an object, whose list of filters may be empty.
  ///
  /// - Throws: ``RequestError`` if the JSON of a kept filter is damaged.
  func json() throws(RequestError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    let all = try rows.json()
    if !all.isEmpty || (any.isEmpty && except.isEmpty) { members["all"] = .array(all) }
    for (part, groups) in [(Part.any, any), (.except, except)] where !groups.isEmpty {
      var parts: [JSONValue] = []
      for group in groups { parts.append(try group.json()) }
      members[part.rawValue] = .array(parts)
    }
    return .object(members)
  }

  subscript(part: Part) -> [ConditionGroup] {
    get { part == .any ? any : except }
    set { if part == .any { any = newValue } else { except = newValue } }
  }
}

// MARK: The form

extension AudienceConditions {
  /// Makes the name of a field, an identifier or an action.
  static func name(_ parts: String...) -> String {
    ([prefix] + parts).joined(separator: "_")
  }

  /// The list of rows of all devices, beside those of groups such as `any0`.
  static let allList = "all"

  init(_ form: Form) {
    rows = Self.rows(Self.allList, form)
    any = Self.groups(.any, form)
    except = Self.groups(.except, form)
  }

  private static func rows(_ list: String, _ form: Form) -> [ConditionRow] {
    let parts = ConditionRow.parts.map { form.all(name(list, $0)) }
    let count = parts.map(\.count).min() ?? 0
    return (0..<count).map { index in
      func part(_ number: Int) -> String {
        parts[number][index].trimmingCharacters(in: .whitespacesAndNewlines)
      }
      var row = ConditionRow(field: part(0), value: part(2), extra: part(3))
      row.comparison = ConditionComparison(rawValue: part(1)) ?? row.kind.comparisons[0]
      return row.fitting
    }
  }

  private static func groups(_ part: Part, _ form: Form) -> [ConditionGroup] {
    var groups: [ConditionGroup] = []
    while let text = form[name("\(part)\(groups.count)", "kind")],
      let kind = ConditionGroup.Kind(rawValue: text)
    {
      let key = "\(part)\(groups.count)"
      switch kind {
      case .conditions: groups.append(.conditions(rows(key, form)))
      case .audience: groups.append(.audience(form[name(key, "audience")] ?? ""))
      case .received:
        groups.append(
          .received(
            send: form[name(key, "send")] ?? "",
            opened: form[name(key, "opened")].flatMap { Bool($0) }))
      }
    }
    return groups
  }

  /// The fields of a form with these conditions.
  var fields: [(name: String, value: String)] {
    var fields: [(name: String, value: String)] = []
    func add(_ rows: [ConditionRow], _ list: String) {
      for row in rows {
        let values = [row.field, row.comparison.rawValue, row.value, row.extra]
        for (part, value) in zip(ConditionRow.parts, values) {
          fields.append((Self.name(list, part), value))
        }
      }
    }
    add(rows, Self.allList)
    for part in [Part.any, .except] {
      for (index, group) in self[part].enumerated() {
        let key = "\(part)\(index)"
        fields.append((Self.name(key, "kind"), group.kind.rawValue))
        switch group {
        case .conditions(let rows): add(rows, key)
        case .audience(let id): fields.append((Self.name(key, "audience"), id))
        case .received(let send, let opened):
          fields.append((Self.name(key, "send"), send))
          fields.append((Self.name(key, "opened"), opened.map { String($0) } ?? ""))
        }
      }
    }
    return fields
  }
}

// MARK: Problems

extension AudienceConditions {
  /// What has to be changed before the conditions can be used, each with the identifier of its field.
  var problems: [(message: String, field: String)] {
    var problems = Self.problems(of: rows, Self.allList)
    for part in [Part.any, .except] {
      for (index, group) in self[part].enumerated() {
        let key = "\(part)\(index)"
        switch group {
        case .conditions(let rows):
          problems += Self.problems(of: rows, key)
          guard group.isEmpty else { continue }
          problems.append(
            ("The group has no condition. Choose one, or remove it.", Self.name(key, "0", "field")))
        case .audience where group.isEmpty:
          problems.append(("Choose an audience, or remove it.", Self.name(key, "audience")))
        case .received where group.isEmpty:
          problems.append(("Choose a notification, or remove it.", Self.name(key, "send")))
        case .audience, .received: continue
        }
      }
    }
    return problems
  }

  private static func problems(
    of rows: [ConditionRow], _ list: String
  ) -> [(message: String, field: String)] {
    rows.enumerated().compactMap { index, row in
      row.problem.map { problem in
        let title = row.isKept ? "Condition" : row.parsedField?.title ?? row.field
        return ("\(title): \(problem.message)", name(list, "\(index)", problem.part))
      }
    }
  }
}
