import PushPayload
import PushStore
import _HTTPServer
import _OpenSSLCrypto

/// Settings: the app, its keys and webhooks, and who did what.
enum SettingsPages {
  static let all: [Route] = [
    .page("GET", .settings) { visit in try await page(visit) },
    .page("POST", .settings, act),
    .page("GET", .settings, at: "/audit", audit),
  ]

  /// What a form did, or why it did nothing.
  struct Outcome {
    /// A key, or the secret of a webhook, which is shown this once.
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
    _ visit: Visit, _ outcome: Outcome = Outcome()
  ) async throws -> HTTPResponse {
    let (store, app) = (visit.api.store, visit.app.id)
    let view = SettingsView(
      visit: visit, keys: try await store.keys(app: app),
      webhooks: try await store.webhooks(app: app), outcome: outcome)
    return WebPage(
      title: "Settings", section: .settings, main: view.html,
      scripts: outcome.secrets.isEmpty ? [] : ["copy.js"]
    ).response(status: outcome.status, for: visit)
  }

  private static func act(_ visit: Visit) async throws -> HTTPResponse {
    do {
      switch visit.form["action"] {
      case "change-app": return try await changeApp(visit)
      case "add-app" where visit.key.role == .server: return try await addApp(visit)
      case "make-key": return try await makeKey(visit)
      case "revoke-key":
        let parameters = ["app": visit.app.id, "key_id": visit.form["id"] ?? ""]
        _ = try await AppRoutes.revokeKey(
          visit.apiCall("DELETE", "", parameters: parameters), visit.api)
        return .seeOther(visit.path(.settings))
      case "add-webhook": return try await addWebhook(visit)
      case "delete-webhook":
        let parameters = ["webhook_id": visit.form["id"] ?? ""]
        _ = try await WebhookRoutes.delete(
          visit.apiCall("DELETE", "", parameters: parameters), visit.api)
        return .seeOther(visit.path(.settings))
      default: return try await page(visit)
      }
    } catch let error as APIError {
      return try await page(visit, Outcome(status: error.status, problem: error.message))
    }
  }

  private static func changeApp(_ visit: Visit) async throws -> HTTPResponse {
    let form = AppForm(visit.form, visit.app, action: "change-app")
    // Two people at once: the second is told of the first, and keeps what was typed.
    if let version = visit.form["version"], version != visit.app.version {
      throw APIError(
        409, "somebody else changed this app meanwhile, see below; save again to overwrite that")
    }
    let body: JSONValue = ["app": form.json]
    let (app, note) = try await AppChange.make(
      visit.apiCall("PUT", "", body, parameters: ["app": visit.app.id]), visit.api)
    var done = visit
    done.app = app
    done.form = Form()
    return try await page(done, Outcome(notice: "Saved. \(note ?? "")"))
  }

  private static func addApp(_ visit: Visit) async throws -> HTTPResponse {
    let form = AppForm(visit.form, nil, action: "add-app")
    let created = try await AppRoutes.make(
      visit.apiCall("POST", "", ["app": form.json]), visit.api)
    var done = visit
    done.apps.append(created.app)
    done.form = Form()
    let secrets = created.keys.map { role, key in
      Outcome.Secret(title: "The \(role.rawValue) key of \(created.app.name)", value: key)
    }
    return try await page(
      done, Outcome(notice: "\(created.app.name) is made.", secrets: secrets))
  }

  private static func makeKey(_ visit: Visit) async throws -> HTTPResponse {
    let body: JSONValue = ["key": KeyForm(visit.form).json]
    let (key, record) = try await AppRoutes.makeKey(
      visit.apiCall("POST", "", body, parameters: ["app": visit.app.id]), visit.api)
    var done = visit
    done.form = Form()
    let secret = Outcome.Secret(title: "The new \(record.role.rawValue) key", value: key)
    return try await page(done, Outcome(secrets: [secret]))
  }

  private static func addWebhook(_ visit: Visit) async throws -> HTTPResponse {
    let body: JSONValue = ["webhook": WebhookForm(visit.form).json]
    let (secret, webhook) = try await WebhookRoutes.make(
      visit.apiCall("POST", "", body), visit.api)
    var done = visit
    done.form = Form()
    return try await page(
      done, Outcome(secrets: [.init(title: "The secret of \(webhook.url)", value: secret)]))
  }

  private static func audit(_ visit: Visit) async throws -> HTTPResponse {
    let last = visit.call.query("after")
    let log = try await visit.api.store.audit(app: visit.app.id, after: last, limit: 100)
    let view = AuditLog(visit: visit, page: log, isFirst: last == nil)
    return WebPage(title: "Audit log", section: .settings, main: view.html).response(for: visit)
  }
}

extension App {
  /// Another one for whatever somebody changed.
  var version: String {
    let texts = [name, bundleID, teamID, keyID, throttlePerSecond.map { String($0) } ?? ""]
    let bytes = texts.flatMap { Array($0.utf8) + [0] } + sealedKey
    return Identifiers.hex(Array(OpenSSLCrypto.sha256(bytes).prefix(8)))
  }
}

/// The form for an app: as it was typed, or, before that, as the app is.
struct AppForm: Sendable {
  var name: String
  var bundleID: String
  var teamID: String
  var keyID: String
  var throttle: String
  /// The text of the p8 file that was chosen.
  var privateKey: String?
  /// Whether Apple shall not be asked.
  var isUnverified: Bool

  init(_ form: Form, _ app: App?, action: String) {
    let isTyped = form["action"] == action
    let form = isTyped ? form : Form()
    name = form["name"] ?? app?.name ?? ""
    bundleID = form["bundle_id"] ?? app?.bundleID ?? ""
    teamID = form["team_id"] ?? app?.teamID ?? ""
    keyID = form["key_id"] ?? app?.keyID ?? ""
    let throttle = isTyped ? nil : app?.throttlePerSecond.map { String($0) }
    self.throttle = form["throttle"] ?? throttle ?? ""
    privateKey = form.files.first { $0.name == "key_file" }
      .map { String(decoding: $0.bytes, as: UTF8.self) }
    isUnverified = form["unverified"] != nil
  }

  /// As the API takes it, which says what it does not.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "name": .string(name), "bundle_id": .string(bundleID), "team_id": .string(teamID),
      "key_id": .string(keyID), "throttle_per_second": .null, "verify": .bool(!isUnverified),
    ]
    if !throttle.isEmpty {
      members["throttle_per_second"] = Int64(throttle).map(JSONValue.integer) ?? .string(throttle)
    }
    members["private_key"] = privateKey.map(JSONValue.string)
    return .object(members)
  }
}

/// The form for a key, as it was typed.
struct KeyForm: Sendable {
  var role: String
  /// Addresses and ranges, one a line.
  var allow: String
  var perSecond: String

  init(_ form: Form) {
    role = form["role"] ?? APIKey.Role.push.rawValue
    allow = form["allow"] ?? ""
    perSecond = form["per_second"] ?? ""
  }

  /// As the API takes it, which says what it does not.
  var json: JSONValue {
    var members: [String: JSONValue] = ["role": .string(role)]
    let ranges = allow.split { $0.isWhitespace || $0 == "," }
    if !ranges.isEmpty { members["allow"] = .array(ranges.map { .string(String($0)) }) }
    if !perSecond.isEmpty {
      members["per_second"] = Int64(perSecond).map(JSONValue.integer) ?? .string(perSecond)
    }
    return .object(members)
  }
}

/// The form for a webhook, as it was typed.
struct WebhookForm: Sendable {
  var url: String
  var events: [String]

  init(_ form: Form) {
    url = form["url"] ?? ""
    events = form.all("event")
  }

  var json: JSONValue {
    ["url": .string(url), "events": .array(events.map(JSONValue.string))]
  }
}
