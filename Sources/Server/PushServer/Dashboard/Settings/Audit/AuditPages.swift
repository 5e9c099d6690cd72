import PushModel
import _HTTPServer

/// The pages of the audit log: a page of entries, and all of them as CSV.
enum AuditPages {
  static let path = "/audit"

  static let all: [Route] = [
    .page("GET", .settings, at: path, handler: page),
    .page("GET", .settings, at: path + ".csv", handler: csv),
  ]

  private static let pageSize = 50

  /// Whether the query asks for the server's log, which only who manages all apps may read.
  private static func isOfServer(_ request: PageRequest) -> Bool {
    request.call.query("log") == AuditLog.server && request.actor.managesAllApps
  }

  private static func page(_ request: PageRequest) async throws -> HTTPResponse {
    var (filter, problem) = (AuditFilter(request.call), String?.none)
    do throws(RequestError) { try filter.check() } catch {
      problem = error.message
    }
    let last = request.call.query("after")
    let isOfServer = isOfServer(request)
    let log = try await request.router.store.audit(
      app: isOfServer ? nil : request.app.id, matching: filter.query, after: last, limit: pageSize)
    let view = AuditLog(
      request: request, page: log, filter: filter,
      names: try await AuditNames(of: log.elements, request), isFirst: last == nil,
      isOfServer: isOfServer, problem: problem)
    return WebPage(title: "Audit log", section: .settings, main: view.html)
      .response(status: problem == nil ? 200 : 422, for: request)
  }

  private static let header = [
    "time", "action", "words", "object", "object_name", "who", "who_name", "address",
  ]
  /// The number of entries that are read at once for CSV.
  private static let csvPageSize = 500

  private static func csv(_ request: PageRequest) async throws -> HTTPResponse {
    var chosen = AuditFilter(request.call)
    try chosen.check()
    let filter = chosen
    let log = isOfServer(request) ? nil : request.app.id
    return try await CSVTable.stream(named: "audit.csv", header: header) { last in
      let page = try await request.router.store.audit(
        app: log, matching: filter.query, after: last, limit: csvPageSize)
      let names = try await AuditNames(of: page.elements, request)
      return (page.elements.map { row($0, names) }, page.cursor)
    }
  }

  private static func row(_ entry: AuditEntry, _ names: AuditNames) -> [String] {
    [
      entry.at.iso8601, entry.action, AuditWords.words(entry.action), entry.object ?? "",
      names.object(of: entry)?.name ?? "", entry.key ?? entry.account ?? "",
      AuditLog.name(of: entry, names), entry.address ?? "",
    ]
  }
}
