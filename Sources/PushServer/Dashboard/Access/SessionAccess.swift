import PushStore

/// The apps that the keys of a session give access to.
struct SessionAccess: Sendable {
  /// Each app once, with the key whose role allows the most sections.
  private(set) var apps: [(app: App, key: APIKey)] = []
  private(set) var hasServerKey = false

  /// Looks up the session's keys; keys that are revoked, have expired or do not allow `address` are
  /// ignored.
  init(
    _ session: Session, from address: String, at now: Timestamp, _ store: any PushStore
  ) async throws {
    let all = try await store.apps()
    for hash in session.keys {
      guard let key = try await store.admittedKey(hash: hash, at: now), key.limits.admits(address)
      else { continue }
      for app in all where key.role == .server || key.app == app.id {
        var appKey = key
        appKey.app = app.id
        if let index = apps.firstIndex(where: { $0.app.id == app.id }) {
          if apps[index].key.sectionCount < appKey.sectionCount { apps[index].key = appKey }
        } else {
          apps.append((app, appKey))
        }
      }
      if key.role == .server { hasServerKey = true }
    }
  }
}

extension APIKey {
  fileprivate var sectionCount: Int { Section.allCases.count { $0.allows(role) } }
}
