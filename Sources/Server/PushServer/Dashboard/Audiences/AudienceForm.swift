import Foundation
import PushModel
import PushPayload

/// The form of an audience: its name, its conditions, and a list of user IDs.
struct AudienceForm: Sendable {
  var name = ""
  var isTest = false
  var conditions = AudienceConditions()
  /// User IDs, separated by line breaks or commas.
  var userIDs = ""
  /// The reason why the CSV file cannot be used, to follow its name; without the file the form would target
  /// all devices.
  private var fileProblem: String?

  init() {}

  init(_ form: Form) {
    name = form["name"] ?? ""
    isTest = form["test"] != nil
    conditions = AudienceConditions(form)
    userIDs = form["user_ids"] ?? ""
    if let file = form.files.first(where: { $0.name == "file" }) {
      do throws(RequestError) {
        let listed = try Self.ids(csv: Array(file.bytes)).joined(separator: "\n")
        if Self.ids(listed).isEmpty { fileProblem = "contains no user IDs" }
        userIDs += (userIDs.isEmpty ? "" : "\n") + listed
      } catch { fileProblem = "is refused: \(error.message)" }
    }
  }

  init(_ audience: Audience) {
    name = audience.name ?? ""
    isTest = audience.isTest
    var shown = audience
    if let index = shown.filters.firstIndex(where: { ConditionRow($0).isKept }),
      let ids = shown.filters[index].userIDs, Self.ids(ids.joined(separator: "\n")) == ids
    {
      userIDs = ids.joined(separator: "\n")
      shown.filters.remove(at: index)
    }
    conditions = AudienceConditions(shown)
  }

  // MARK: The target

  /// The target of the form; one without conditions and user IDs is all devices.
  ///
  /// - Throws: ``RequestError`` `.invalid`, in the words of the form.
  func target() throws(RequestError) -> Target {
    if let problem = conditions.problems.first {
      throw RequestError(.invalid, problem.message, at: problem.field)
    }
    var choice = try TargetChoice(BodyValue(try conditions.json()))
    choice.filters += try userFilters()
    return .choice(choice)
  }

  /// The filter of the user IDs; none if there are no IDs.
  private func userFilters() throws(RequestError) -> [Filter] {
    if let fileProblem { throw .refused("The CSV file", fileProblem) }
    let ids = Self.ids(userIDs)
    guard !ids.isEmpty else { return [] }
    guard ids.count <= Target.userLimit else {
      throw .refused("The list of user IDs", "has \(ids.count), and may have \(Target.userLimit)")
    }
    return [
      Filter(field: .builtIn(.userID), criteria: ids.map { .equals(.string($0)) })
    ]
  }

  /// Counts the conditions, which may have been changed since the form was read, together with the user IDs.
  func count(
    of audience: Audience?, _ conditions: AudienceConditions, _ request: PageRequest
  ) async throws -> ConditionsCount {
    let users: [Filter]
    do throws(RequestError) { users = try userFilters() } catch {
      return ConditionsCount(problem: error.message)
    }
    return try await ConditionsCount(conditions, and: users, of: audience, request)
  }

  // MARK: User IDs

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
}

extension Filter {
  /// The users of a filter that selects their devices; `nil` if the filter is another one.
  fileprivate var userIDs: [String]? {
    guard field == .builtIn(.userID), !isNegated else { return nil }
    let ids = criteria.compactMap { criterion -> String? in
      if case .equals(let id) = criterion { id.string } else { nil }
    }
    return ids.count == criteria.count ? ids : nil
  }
}
