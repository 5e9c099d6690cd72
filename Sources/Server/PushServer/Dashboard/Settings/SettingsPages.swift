import PushModel
import _HTTPServer
import _OpenSSLCrypto

/// The pages of settings: the app, its API keys and webhooks, and the audit log.
enum SettingsPages {
  static let all: [Route] = [
    .page("GET", .settings) { request in try await page(request) },
    .page("POST", .settings, handler: submit),
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
    /// The id of the field that the problem is about.
    var field: String?
  }

  private static func page(
    _ request: PageRequest, _ result: FormResult = FormResult()
  ) async throws -> HTTPResponse {
    let (store, app) = (request.router.store, request.app.id)
    var view = SettingsView(
      request: request, keys: try await store.keys(app: app),
      webhooks: try await store.webhooks(app: app),
      confirmation: request.confirmation, result: result)
    for webhook in view.webhooks {
      view.backlogs[webhook.id] = try await store.backlog(ofWebhook: webhook.id, app: app)
    }
    return WebPage(
      title: "Settings", section: .settings, main: view.html,
      scripts: result.secrets.isEmpty ? [] : ["copy.js"]
    ).response(status: result.status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    do {
      switch request.form["action"] {
      case "change-app": return try await changeApp(request)
      case "add-app": return try await addApp(request)
      case "change-icon": try await setIcon(request)
      case "remove-icon": try await request.actions.removeIcon(by: request.actor)
      case "make-key": return try await makeKey(request)
      case "revoke-key":
        try await request.actions.revokeKey(request.form["id"] ?? "", by: request.actor)
      case "add-webhook": return try await addWebhook(request)
      case "delete-webhook":
        try await request.actions.deleteWebhook(request.form["id"] ?? "", by: request.actor)
      default: return try await page(request)
      }
      return .seeOther(request.path(.settings))
    } catch let error as RequestError {
      let (problem, field) = SettingsField.problem(error, action: request.form["action"])
      return try await page(
        request, FormResult(status: error.status, problem: problem, field: field))
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
    let (app, note) = try await request.actions.changeApp(form.body, by: request.actor)
    var done = request
    done.app = app
    done.form = Form()
    return try await page(done, FormResult(notice: "Saved. \(note ?? "")"))
  }

  private static func setIcon(_ request: PageRequest) async throws {
    let file = request.form.files.first { $0.name == AppIconView.field }
    guard let file, !file.bytes.isEmpty else {
      throw RequestError(.invalid, "choose a PNG file for the icon")
    }
    try await request.actions.setIcon(file.bytes, by: request.actor)
  }

  private static func addApp(_ request: PageRequest) async throws -> HTTPResponse {
    // The answer has keys of the new app.
    try await request.confirm()
    let form = AppForm(request.form, nil, action: "add-app")
    let created = try await request.actions.addApp(form.body, by: request.actor)
    var done = request
    done.apps.append(created.app)
    done.form = Form()
    let secrets = created.keys.map { role, key in
      FormResult.Secret(title: "\(created.app.name): \(role.rawValue) key", value: key)
    }
    return try await page(
      done, FormResult(notice: "\(created.app.name) was added.", secrets: secrets))
  }

  private static func makeKey(_ request: PageRequest) async throws -> HTTPResponse {
    try await request.confirm()
    let (key, record) = try await request.actions.makeKey(
      KeyForm(request.form).body, by: request.actor)
    var done = request
    done.form = Form()
    let secret = FormResult.Secret(title: "New \(record.role.rawValue) key", value: key)
    return try await page(done, FormResult(secrets: [secret]))
  }

  private static func addWebhook(_ request: PageRequest) async throws -> HTTPResponse {
    let (secret, webhook) = try await request.actions.addWebhook(
      WebhookForm(request.form).body, by: request.actor)
    var done = request
    done.form = Form()
    return try await page(
      done, FormResult(secrets: [.init(title: "Secret of \(webhook.url)", value: secret)]))
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
