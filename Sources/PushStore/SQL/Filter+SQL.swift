import PushPayload

/// A condition on a row of `devices` and the values it takes.
///
/// The text depends on the shape of the filters only; names and values are always bound.
struct SQLCondition {
  private(set) var sql: String
  private(set) var values: [SQLValue]

  /// The devices of an app that a push can reach and that every filter lets through.
  init(_ audience: Audience, keys: DeviceKeys) {
    // The pluses keep SQLite from walking another index, in an order of no use.
    sql =
      "key BETWEEN ? AND ? AND +token IS NOT NULL AND platform = 'iOS' AND push_enabled"
      + " AND +uninstalled_at IS NULL"
    values = [keys.first, keys.last]
    for filter in audience.filters {
      let condition = SQLCondition(filter)
      sql += " AND " + condition.sql
      values += condition.values
    }
  }

  private init(_ filter: Filter) {
    switch filter.field {
    case .attribute(let kind, let name):
      // The path names the attribute; `Attribute.isName` keeps quotes out of names.
      let element = SQLCondition(filter.criteria, on: "element.value")
      sql =
        "EXISTS (SELECT 1 FROM json_each(attributes, ?) AS element"
        + " WHERE json_extract(attributes, ?) = ? AND \(element.sql))"
      let path = "$.\"\(name)\""
      values = [.text(path + ".value"), .text(path + ".type"), .text(kind.rawValue)]
      values += element.values
    case .builtIn(.tags):
      let element = SQLCondition(filter.criteria, on: "element.value")
      sql = "EXISTS (SELECT 1 FROM json_each(tags) AS element WHERE \(element.sql))"
      values = element.values
    case .builtIn(let field):
      self = SQLCondition(filter.criteria, on: field.column, as: field.value)
    }
    // A device without the field gives NULL, which must count as "does not match".
    if filter.isNegated { sql = "NOT coalesce(\(sql), FALSE)" }
  }

  /// Any one of the criteria holds for an operand.
  private init(
    _ criteria: [Filter.Criterion], on operand: String,
    as value: (JSONValue) -> SQLValue = SQLValue.scalar
  ) {
    values = []
    var alternatives: [String] = []
    for criterion in criteria {
      switch criterion {
      case .equals(let scalar):
        alternatives.append("\(operand) = ?")
        values.append(value(scalar))
      case .range(let bounds):
        alternatives.append(
          "(" + bounds.map { "\(operand) \($0.comparison.sql) ?" }.joined(separator: " AND ") + ")")
        values += bounds.map { value($0.value) }
      }
    }
    sql = alternatives.isEmpty ? "0" : Self.any(of: alternatives[...])
  }

  /// A balanced tree: SQLite takes expressions up to 1000 deep, and a plain chain of ORs is as deep as
  /// it is long.
  private static func any(of alternatives: ArraySlice<String>) -> String {
    guard alternatives.count > 2 else { return "(" + alternatives.joined(separator: " OR ") + ")" }
    let middle = alternatives.startIndex + alternatives.count / 2
    return "(" + any(of: alternatives[..<middle]) + " OR " + any(of: alternatives[middle...]) + ")"
  }
}

extension Filter.Bound.Comparison {
  fileprivate var sql: String {
    switch self {
    case .gt: ">"
    case .gte: ">="
    case .lt: "<"
    case .lte: "<="
    }
  }
}

extension Filter.BuiltIn {
  fileprivate var column: String {
    switch self {
    case .deviceID: "id"
    case .osName: "platform"
    case .registeredAt: "updated_at"
    case .locale: "replace(lower(locale), '-', '_')"
    default: rawValue
    }
  }

  /// A criterion's value as the column holds it.
  fileprivate func value(_ scalar: JSONValue) -> SQLValue {
    switch self {
    case .createdAt, .registeredAt: .time(scalar.string.flatMap(Timestamp.init(iso8601:)))
    case .locale: .optional(scalar.string?.lowercased().replacing("-", with: "_"))
    default: .scalar(scalar)
    }
  }
}

extension SQLValue {
  fileprivate static func scalar(_ value: JSONValue) -> SQLValue {
    switch value {
    case .string(let text): .text(text)
    case .integer(let number): .integer(number)
    case .number(let number): .real(number)
    case .bool(let truth): .bool(truth)
    case .null, .array, .object: .null
    }
  }
}
