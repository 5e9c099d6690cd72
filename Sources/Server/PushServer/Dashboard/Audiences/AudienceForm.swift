import Foundation
import PushModel
import PushPayload

/// The form of the audience builder, and the filters that it makes; the API validates them.
struct AudienceForm: Sendable {
  /// One condition: a field, a comparison and a value.
  struct Row: Sendable, Equatable {
    var field = ""
    var comparison = Comparison.equals
    var value = ""
  }

  enum Comparison: String, CaseIterable, Sendable {
    case equals = "is"
    case differs = "is_not"
    case any
    case none
    case gte, lte, gt, lt

    var title: String {
      switch self {
      case .equals: "is"
      case .differs: "is not"
      case .any: "is any of (a, b, …)"
      case .none: "is none of (a, b, …)"
      case .gte: "is at least"
      case .lte: "is at most"
      case .gt: "is more than"
      case .lt: "is less than"
      }
    }
  }

  var name = ""
  var isTest = false
  var rows: [Row] = []
  /// User IDs, separated by line breaks or commas.
  var userIDs = ""
  /// Filters that no row can represent, as a JSON array.
  var more = ""
  /// The reason why the CSV file cannot be used, to follow its name; without the file the form would target
  /// all devices.
  private var fileProblem: String?

  init() {}

  init(_ form: Form) {
    name = form["name"] ?? ""
    isTest = form["test"] != nil
    let parts = zip(form.all("field"), zip(form.all("comparison"), form.all("value")))
    rows = parts.map { field, rest in
      Row(
        field: field.trimmingCharacters(in: .whitespaces),
        comparison: Comparison(rawValue: rest.0) ?? .equals,
        value: rest.1.trimmingCharacters(in: .whitespaces))
    }.filter { !$0.field.isEmpty }
    userIDs = form["user_ids"] ?? ""
    more = form["more"] ?? ""
    if let file = form.files.first(where: { $0.name == "file" }) {
      do throws(RequestError) {
        let listed = try Self.ids(csv: Array(file.bytes)).joined(separator: "\n")
        if Self.ids(listed).isEmpty { fileProblem = "contains no user IDs" }
        userIDs += (userIDs.isEmpty ? "" : "\n") + listed
      } catch { fileProblem = "is refused: \(error.message)" }
    }
  }

  // MARK: The filters

  /// The `to` of an API request, without the list of user IDs.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the additional filters are not a JSON array.
  private func target() throws(RequestError) -> JSONValue {
    var filters = try moreFilters()
    for row in rows { filters.append(row.json) }
    return filters.isEmpty ? "*" : .array(filters)
  }

  /// The filters of the audience; an empty array means all devices.
  ///
  /// - Throws: ``RequestError`` `.invalid` with the JSON path of an invalid filter.
  func filters() throws(RequestError) -> [Filter] {
    if let fileProblem { throw .refused("The CSV file", fileProblem) }
    var filters: [Filter] = []
    if case .filters(let read) = try Target(BodyValue(try target())) { filters = read }
    let ids = Self.ids(userIDs)
    guard !ids.isEmpty else { return filters }
    let users = BodyValue(["user_ids": .array(ids.map(JSONValue.string))])
    if case .filters(let read) = try Target(users) { filters += read }
    return filters
  }

  /// The number of additional filters, which come before the conditions.
  var moreCount: Int { (try? moreFilters())?.count ?? 0 }

  private func moreFilters() throws(RequestError) -> [JSONValue] {
    guard !more.isEmpty else { return [] }
    let read = try BodyValue(
      parsing: Array(more.utf8), as: "$.more must be a JSON array of filters; the text",
      at: "$.more")
    guard let filters = read.value.array else {
      throw .refused("$.more", "must be a JSON array of filters")
    }
    return filters
  }

  /// The values in the column `user_id` of a CSV file, or else in its first column.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the file is not UTF-8.
  static func ids(csv bytes: [UInt8]) throws(RequestError) -> [String] {
    try ImportFile.check(start: bytes)
    var reader = CSVReader()
    reader.feed(bytes)
    var rows: [[String]] = []
    while let row = reader.next() ?? reader.last() {
      if let problem = row.problem { throw RequestError(.invalid, "line \(row.line) \(problem)") }
      rows.append(row.fields)
    }
    let column = rows.first?.firstIndex {
      $0.trimmingCharacters(in: .whitespaces).lowercased() == "user_id"
    }
    return rows.dropFirst(column == nil ? 0 : 1).compactMap { fields in
      fields.indices.contains(column ?? 0) ? fields[column ?? 0] : nil
    }
  }

  /// Splits a list of user IDs at line breaks and commas, and skips the column name `user_id`.
  static func ids(_ text: String) -> [String] {
    let cells = text.split(whereSeparator: { $0.isNewline || $0 == "," })
      .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"\u{FEFF}")) }
    return cells.filter { !$0.isEmpty && $0 != "user_id" }
  }

  // MARK: From a stored audience

  init(_ audience: Audience) {
    name = audience.name ?? ""
    isTest = audience.isTest
    var rest: [JSONValue] = []
    for filter in audience.filters {
      if let row = Row(filter) { rows.append(row) } else { rest.append(filter.stored) }
    }
    if !rest.isEmpty {
      more = String(decoding: JSONValue.array(rest).serialized(), as: UTF8.self)
    }
  }
}

extension AudienceForm.Row {
  fileprivate var json: JSONValue {
    let kind = Filter.Field(apiName: field)?.kind ?? .string
    func values(_ text: String) -> JSONValue {
      .array(
        text.split(separator: ",").map { part in
          Self.value(part.trimmingCharacters(in: .whitespaces), kind)
        })
    }
    let criteria: JSONValue =
      switch comparison {
      case .equals, .differs: [Self.value(value, kind)]
      case .any, .none: values(value)
      case .gte, .lte, .gt, .lt: [.object([comparison.rawValue: Self.value(value, kind)])]
      }
    let isNegated = comparison == .differs || comparison == .none
    return ["name": .string(field), "criteria": criteria, "not_filter": .bool(isNegated)]
  }

  /// A value of the field's kind, or the unchanged text, so that the API refuses it with a reason.
  private static func value(_ text: String, _ kind: Filter.Kind) -> JSONValue {
    switch kind {
    case .integer: Int64(text).map(JSONValue.integer) ?? .string(text)
    case .float: Double(text).map(JSONValue.number) ?? .string(text)
    case .boolean: Bool(text.lowercased()).map(JSONValue.bool) ?? .string(text)
    case .place: place(text) ?? .string(text)
    case .string, .date, .version: .string(text)
    }
  }

  /// Parses `52.5 13.4 2000`: latitude, longitude, and radius in metres.
  private static func place(_ text: String) -> JSONValue? {
    let numbers = text.split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 3 else { return nil }
    return [
      "lat": .number(numbers[0]), "lng": .number(numbers[1]), "radius": .number(numbers[2]),
    ]
  }

  /// The row of a filter; `nil` if a row cannot represent it.
  fileprivate init?(_ filter: Filter) {
    let field = filter.field.apiName
    let equals = filter.criteria.compactMap { criterion -> String? in
      guard case .equals(let value) = criterion else { return nil }
      return value.string ?? value.bool.map { String($0) } ?? value.integer.map { String($0) }
        ?? value.number.map { String($0) }
    }
    if equals.count == filter.criteria.count, let first = equals.first {
      guard equals.count > 1 else {
        self.init(
          field: field, comparison: filter.isNegated ? .differs : .equals, value: first)
        return
      }
      guard equals.count <= 20, equals.allSatisfy({ !$0.contains(",") }) else { return nil }
      self.init(
        field: field, comparison: filter.isNegated ? .none : .any,
        value: equals.joined(separator: ", "))
      return
    }
    guard filter.criteria.count == 1, !filter.isNegated,
      case .range(let bounds)? = filter.criteria.first, bounds.count == 1,
      let comparison = AudienceForm.Comparison(rawValue: bounds[0].comparison.rawValue)
    else { return nil }
    let bound = bounds[0].value
    self.init(
      field: field, comparison: comparison,
      value: bound.string ?? bound.integer.map { String($0) } ?? bound.number.map { String($0) }
        ?? "")
  }
}
