import PushPayload

/// A condition on a row of `devices` and the values it takes.
///
/// The text depends on the shape of the filters only; names and values are always bound.
struct SQLCondition {
  private(set) var sql: String
  private(set) var values: [SQLValue]

  /// The devices of an app that a push can reach and that every filter lets through.
  init(_ audience: Audience, keys: DeviceKeys, _ dialect: SQLDialect) {
    let plain = dialect.unindexed
    sql =
      "key BETWEEN ? AND ? AND \(plain)token IS NOT NULL AND platform = 'iOS' AND push_enabled"
      + " AND \(plain)uninstalled_at IS NULL"
    values = [keys.first, keys.last]
    for filter in audience.filters {
      let condition = SQLCondition(filter, dialect)
      sql += " AND " + condition.sql
      values += condition.values
    }
  }

  private init(_ filter: Filter, _ dialect: SQLDialect) {
    switch filter.field {
    case .attribute(let kind, let name):
      if dialect.hasJSONB {
        let element = SQLCondition(
          filter.criteria, on: "element.value", as: SQLValue.json, mark: Self.jsonMark)
        // A path in lax mode takes an array apart and one value as it is.
        sql =
          "EXISTS (SELECT 1 FROM jsonb_path_query(attributes -> CAST(? AS TEXT), '$.value[*]')"
          + " AS element(value) WHERE attributes -> CAST(? AS TEXT) ->> 'type' = ?"
          + " AND \(element.sql))"
        values = [.text(name), .text(name), .text(kind.rawValue)] + element.values
        break
      }
      // The path names the attribute; `Attribute.isName` keeps quotes out of names.
      let element = SQLCondition(filter.criteria, on: "element.value")
      sql =
        "EXISTS (SELECT 1 FROM json_each(attributes, ?) AS element"
        + " WHERE json_extract(attributes, ?) = ? AND \(element.sql))"
      let path = "$.\"\(name)\""
      values = [.text(path + ".value"), .text(path + ".type"), .text(kind.rawValue)]
      values += element.values
    case .builtIn(.tags) where dialect.hasJSONB:
      let element = SQLCondition(
        filter.criteria, on: "element.value", as: SQLValue.json, mark: Self.jsonMark)
      sql =
        "EXISTS (SELECT 1 FROM jsonb_array_elements(tags) AS element(value) WHERE \(element.sql))"
      values = element.values
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
    as value: (JSONValue) -> SQLValue = SQLValue.scalar, mark: String = "?"
  ) {
    values = []
    var alternatives: [String] = []
    for criterion in criteria {
      switch criterion {
      case .equals(let scalar):
        alternatives.append("\(operand) = \(mark)")
        values.append(value(scalar))
      case .range(let bounds):
        alternatives.append(
          "(" + bounds.map { "\(operand) \($0.comparison.sql) \(mark)" }.joined(separator: " AND ")
            + ")")
        values += bounds.map { value($0.value) }
      }
    }
    sql = alternatives.isEmpty ? "FALSE" : Self.any(of: alternatives[...])
  }

  private static let jsonMark = "CAST(? AS JSONB)"

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
