import PushModel
import PushPayload

/// The names and pages of the people, keys and objects that entries of an audit log name.
struct AuditNames: Sendable {
  struct Object: Sendable {
    var name: String
    /// The path of its page; `nil` if it has none.
    var path: String?
  }

  private(set) var accounts: [String: Account] = [:]
  private(set) var keys: [String: APIKey] = [:]
  /// The objects by the subject of the action, and the id.
  private var objects: [[String]: Object] = [:]

  init(of entries: [AuditEntry], _ request: PageRequest) async throws {
    let store = request.router.store
    accounts = Dictionary(try await store.accounts().map { ($0.id, $0) }) { first, _ in first }
    let known = try await store.keys(app: request.app.id) + store.keys(app: nil)
    keys = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    let webhooks = try await store.webhooks(app: request.app.id)
    for entry in entries {
      guard let id = entry.object, objects[Self.place(of: entry)] == nil else { continue }
      do {
        objects[Self.place(of: entry)] = try await object(
          id, of: Self.subject(of: entry), among: webhooks, request)
      } catch let error as StoreError where error.code == .damaged {
        // What cannot be read has no name; the entry is shown.
      }
    }
  }

  /// The object of an entry; `nil` if the entry has none, or it is no longer stored.
  func object(of entry: AuditEntry) -> Object? { objects[Self.place(of: entry)] }

  private static func subject(of entry: AuditEntry) -> String {
    String(entry.action.prefix { $0 != "." })
  }

  private static func place(of entry: AuditEntry) -> [String] {
    [subject(of: entry), entry.object ?? ""]
  }

  private func object(
    _ id: String, of subject: String, among webhooks: [Webhook], _ request: PageRequest
  ) async throws -> Object? {
    let (store, app) = (request.router.store, request.app.id)
    let sends = request.path(.sends)
    switch subject {
    case "notification":
      return try await store.send(id, app: app).map {
        Object(name: $0.name ?? $0.summary, path: "\(sends)/\($0.id)")
      }
    case "campaign", "run":
      let campaign = subject == "run" ? try await store.run(id, app: app)?.campaign : id
      guard let campaign else { return nil }
      return try await store.campaign(campaign, app: app).map {
        Object(name: $0.name, path: CampaignPages.path(of: $0, request))
      }
    case "message":
      return try await store.message(id, app: app).map {
        Object(name: $0.title, path: MessagesPages.path(of: $0, request))
      }
    case "audience":
      return try await store.audience(id, app: app).map {
        Object(name: $0.name ?? "Filters", path: "\(request.path(.audiences))/\($0.id)")
      }
    case "activity":
      // A push is named by its send, and what the server keeps by the id of the activity.
      let send = try await store.send(id, app: app)
      return Object(name: send?.activity?.id ?? id, path: sends + ActivityList.path)
    case "template": return Object(name: id, path: TemplatePages.path(of: id, request))
    case "key": return keys[id].map { Object(name: $0.title) }
    case "webhook": return webhooks.first { $0.id == id }.map { Object(name: $0.url) }
    case "app": return request.apps.first { $0.id == id }.map { Object(name: $0.name) }
    case "limits": return Object(name: "", path: request.path(.settings) + LimitsPages.path)
    case "device":
      let owner = try await store.device(id, app: app)
      return owner.map {
        Object(
          name: $0.userID.map { "of \($0)" } ?? "",
          path: PersonPages.path(ofDevice: $0.id, request))
      }
    case "account", "second_factor", "passkey", "recovery_code", "session":
      return Object(name: accounts[id]?.displayName ?? (id.contains("@") ? id : ""))
    default: return nil
    }
  }
}

extension APIKey {
  /// The name of the key, or else its role.
  var title: String { name ?? "\(role.title) key" }

  /// The key within a sentence: by its name, or else by its role and its day.
  var inWords: String {
    name.map { "the key “\($0)”" } ?? "the \(role.rawValue) key of \(createdAt.date)"
  }

  /// A key within a sentence that is no longer stored.
  static let revoked = "a key that was revoked"
}

extension APIKey.Role {
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
