import Markup
import PushPayload
import PushStore
import _Card
import _HTTPServer

/// Writing a notification, seeing it as a phone will show it, and sending it.
enum ComposePages {
  static let all: [Route] = [
    .page("GET", .compose, begin),
    .page("POST", .compose, act),
  ]

  /// An empty form, or, with `?from=ID`, one with what an earlier send said.
  private static func begin(_ visit: Visit) async throws -> HTTPResponse {
    guard let id = visit.call.query("from") else {
      var form = ComposeForm()
      form[.to] = visit.call.query("to") ?? ""
      return try await page(form, visit, isFresh: visit.call.query("to") == nil)
    }
    guard let send = try await visit.api.store.send(id, app: visit.app.id) else {
      throw APIError.notFound("notification with this id")
    }
    let message = try await visit.api.store.message(send.messageID, app: visit.app.id)
    let form = ComposeForm(
      send, message: message, everyone: Identifiers.everyone(in: visit.app.id), at: visit.now)
    return try await page(form, visit)
  }

  private static func act(_ visit: Visit) async throws -> HTTPResponse {
    var form = ComposeForm(visit.form)
    let wantsJSON = visit.request.header("Accept")?.hasPrefix("application/json") == true
    if let file = visit.form.files.first(where: { $0.name == "file" }) {
      do {
        form[.media] = try await upload(file, visit)
      } catch let error as APIError {
        guard !wantsJSON else { throw error }
        return try await page(
          form, visit, status: error.status,
          problem: .init(field: .media, severity: ComposePreview.refusal, message: error.message))
      }
      if wantsJSON { return .json(["url": .string(form[.media])]) }
    }
    switch visit.form["action"] {
    case "card":
      var preview = try await ComposePreview(form, for: sample(visit), visit)
      let isQuick = visit.form["quick"] != nil
      try await preview.draw(
        visit, waiting: isQuick ? MediaPreview.shortWait : MediaPreview.longWait)
      let appearance: CardStyle.Appearance = visit.form["appearance"] == "dark" ? .dark : .light
      guard
        let picture = preview.picture(appearance, scale: isQuick ? 1 : 2, visit.api.pictures)
      else {
        return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")])
      }
      return HTTPResponse(
        status: 200,
        headers: [
          ("Content-Type", "image/jpeg"), ("Cache-Control", "no-store"),
          ("X-Content-Type-Options", "nosniff"),
        ], body: picture)
    case "test": return try await SendOrder.test(form, visit)
    case "review": return try await SendOrder.review(form, visit)
    case "send": return try await SendOrder.send(form, visit)
    default:
      guard wantsJSON else { return try await page(form, visit) }
      return .json(try await ComposePreview(form, for: sample(visit), visit).json)
    }
  }

  private static func upload(_ file: Form.File, _ visit: Visit) async throws -> String {
    guard let uploads = visit.api.uploads else {
      throw APIError(501, "this server keeps no uploads; give the URL of a file elsewhere")
    }
    let name = try await uploads.keep(file.bytes, app: visit.app.id, at: visit.now)
    return visit.publicURL(of: name)
  }

  /// The device that the preview is for.
  static func sample(_ visit: Visit) async throws -> Device? {
    guard let id = visit.form["sample"] else { return nil }
    let device = try await visit.api.store.device(id, app: visit.app.id)
    return device?.erasedAt == nil ? device : nil
  }

  /// The form with its preview.
  static func page(
    _ form: ComposeForm, _ visit: Visit, isFresh: Bool = false, status: Int = 200,
    problem: ComposePreview.Remark? = nil, notice: HTML? = nil
  ) async throws -> HTTPResponse {
    let sample = try await sample(visit)
    var preview = try await ComposePreview(form, for: sample, visit)
    try await preview.draw(visit)
    if let problem { preview.add(problem) }
    let view = ComposeView(
      form: form, preview: preview, visit: visit,
      choices: try await ComposeChoices(visit, chosen: form[.to]),
      sample: sample, isFresh: isFresh && form.form.fields.allSatisfy { $0.value.isEmpty },
      notice: notice)
    return WebPage(
      title: "Compose", section: .compose, main: view.html, scripts: ["compose.js"]
    ).response(status: status, for: visit)
  }
}

/// What a composer chooses from: audiences, devices to look at, and what is known of devices.
struct ComposeChoices: Sendable {
  var audiences: [Audience]
  private static let mostDevices = 25
  /// Some devices that a push can reach, those for tests first.
  var devices: [Device]
  /// Names of attributes, as some devices have them.
  var attributes: [String]

  // The chosen audience is among them, whatever it is.
  init(_ visit: Visit, chosen: String) async throws {
    let (store, app) = (visit.api.store, visit.app.id)
    audiences = try await store.audiences(app: app, after: nil, limit: 500).elements
      .filter { $0.name != nil }
    if !audiences.contains(where: { $0.id == chosen }),
      let other = try await store.audience(chosen, app: app)
    {
      audiences.insert(other, at: 0)
    }
    let known = try await store.devices(app: app, above: nil, limit: 500)
    var shown: [Device] = []
    for id in try await TestDevices.ids(app: app, store).prefix(Self.mostDevices) {
      if let device = try await store.device(id, app: app) { shown.append(device) }
    }
    let tests = Set(shown.map(\.id))
    shown += known.filter { !tests.contains($0.id) }
    devices = Array(
      shown.filter { $0.token != nil && $0.uninstalledAt == nil }.prefix(Self.mostDevices))
    attributes = Set(known.flatMap(\.attributes.keys)).sorted()
  }
}
