import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// The pages of settings: the app, its API keys and webhooks, and the audit log.
enum SettingsPages {
  static let all: [Route] = [
    .page("GET", .settings) { request in try await page(request) },
    .page("POST", .settings, handler: submit),
    .page("GET", .settings, at: "/audit", handler: auditLog),
  ]

  /// The result of a submitted form.
  struct FormResult {
    /// An API key or the secret of a webhook, which is shown only once.
    struct Secret {
      var title: String
      var value: String
    }

    var status = 200
    var notice: String?
    var secrets: [Secret] = []
    var problem: String?
  }

  private static func page(
    _ request: PageRequest, _ result: FormResult = FormResult()
  ) async throws -> HTTPResponse {
    let (store, app) = (request.api.store, request.app.id)
    let view = SettingsView(
      request: request, keys: try await store.keys(app: app),
      webhooks: try await store.webhooks(app: app),
      confirmation: try await Confirmation(for: request), result: result)
    return WebPage(
      title: "Settings", section: .settings, main: view.html,
      scripts: result.secrets.isEmpty ? [] : ["copy.js"]
    ).response(status: result.status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    do {
      switch request.form["action"] {
      case "change-app": return try await changeApp(request)
      case "add-app" where request.access.managesAllApps: return try await addApp(request)
      case "change-icon": return try await changeIcon(request, removes: false)
      case "remove-icon": return try await changeIcon(request, removes: true)
      case "make-key": return try await createKey(request)
      case "revoke-key":
        let parameters = ["app": request.app.id, "key_id": request.form["id"] ?? ""]
        _ = try await AppRoutes.revokeKey(
          request.apiCall("DELETE", "", parameters: parameters), request.api)
        return .seeOther(request.path(.settings))
      case "add-webhook": return try await addWebhook(request)
      case "delete-webhook":
        let parameters = ["webhook_id": request.form["id"] ?? ""]
        _ = try await WebhookRoutes.delete(
          request.apiCall("DELETE", "", parameters: parameters), request.api)
        return .seeOther(request.path(.settings))
      default: return try await page(request)
      }
    } catch let error as RequestError {
      return try await page(request, FormResult(status: error.status, problem: error.message))
    } catch let refusal as AccountRequest.Refusal {
      return try await page(request, FormResult(status: refusal.status, problem: refusal.message))
    }
  }

  private static func changeApp(_ request: PageRequest) async throws -> HTTPResponse {
    let form = AppForm(request.form, request.app, action: "change-app")
    // The version detects a change by another user since the page was loaded.
    if let version = request.form["version"], version != request.app.version {
      throw RequestError(
        .conflict,
        "someone else changed this app, as shown below; save again to overwrite their changes")
    }
    let body: JSONValue = ["app": form.json]
    let (app, note) = try await AppChange.make(
      request.apiCall("PUT", "", body: body, parameters: ["app": request.app.id]), request.api)
    var done = request
    done.app = app
    done.form = Form()
    return try await page(done, FormResult(notice: "Saved. \(note ?? "")"))
  }

  private static func changeIcon(
    _ request: PageRequest, removes: Bool
  ) async throws -> HTTPResponse {
    try await AppIcon.change(request, removes: removes)
    return .seeOther(request.path(.settings))
  }

  private static func addApp(_ request: PageRequest) async throws -> HTTPResponse {
    // The answer has keys of the new app.
    try await Confirmation(for: request).check(request)
    let form = AppForm(request.form, nil, action: "add-app")
    let created = try await AppRoutes.make(
      request.apiCall("POST", "", body: ["app": form.json]), request.api)
    var done = request
    done.apps.append(created.app)
    done.form = Form()
    let secrets = created.keys.map { role, key in
      FormResult.Secret(title: "\(created.app.name): \(role.rawValue) key", value: key)
    }
    return try await page(
      done, FormResult(notice: "\(created.app.name) was added.", secrets: secrets))
  }

  private static func createKey(_ request: PageRequest) async throws -> HTTPResponse {
    try await Confirmation(for: request).check(request)
    let body: JSONValue = ["key": KeyForm(request.form).json]
    let (key, record) = try await AppRoutes.makeKey(
      request.apiCall("POST", "", body: body, parameters: ["app": request.app.id]), request.api)
    var done = request
    done.form = Form()
    let secret = FormResult.Secret(title: "New \(record.role.rawValue) key", value: key)
    return try await page(done, FormResult(secrets: [secret]))
  }

  private static func addWebhook(_ request: PageRequest) async throws -> HTTPResponse {
    let body: JSONValue = ["webhook": WebhookForm(request.form).json]
    let (secret, webhook) = try await WebhookRoutes.make(
      request.apiCall("POST", "", body: body), request.api)
    var done = request
    done.form = Form()
    return try await page(
      done, FormResult(secrets: [.init(title: "Secret of \(webhook.url)", value: secret)]))
  }

  private static func auditLog(_ request: PageRequest) async throws -> HTTPResponse {
    let last = request.call.query("after")
    let isOfServer = request.call.query("log") == AuditLog.server && request.access.managesAllApps
    let log = try await request.api.store.audit(
      app: isOfServer ? nil : request.app.id, after: last, limit: 100)
    let people = try await request.api.store.accounts().map { ($0.id, $0.email) }
    let view = AuditLog(
      request: request, page: log, isFirst: last == nil, isOfServer: isOfServer,
      emails: Dictionary(people) { first, _ in first })
    return WebPage(title: "Audit log", section: .settings, main: view.html).response(for: request)
  }
}

extension App {
  /// A hash of the app's settings, which differs if any of them differs.
  var version: String {
    let texts = [name, bundleID, teamID, keyID, throttlePerSecond.map { String($0) } ?? ""]
    let bytes = texts.flatMap { Array($0.utf8) + [0] } + sealedKey
    return Identifiers.hex(Array(OpenSSLCrypto.sha256(bytes).prefix(8)))
  }
}
