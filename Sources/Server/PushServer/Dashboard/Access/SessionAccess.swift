import PushModel

/// The apps that a session gives access to: those of its person's roles, or of its keys.
struct SessionAccess: Sendable {
  /// Each app once, with the key whose role allows the most sections.
  private(set) var apps: [AppAccess] = []
  /// Whether the session gives access to all apps, even if the server has no app yet.
  private(set) var managesAllApps = false
  /// The person who has signed in; `nil` if the session is one of keys.
  private(set) var person: Person?
  /// Whether the person has to set up a second factor before the session gives access to anything.
  private(set) var lacksSecondFactor = false

  /// Looks up the session's person or keys.
  ///
  /// Keys that are revoked, have expired or do not allow `address` are ignored.
  init(
    _ session: Session, from address: String, at now: Timestamp, _ router: Router
  ) async throws {
    let store = router.store
    if let hash = session.accountHash {
      guard let account = try await store.account(session: hash, at: now) else { return }
      let person = Person(account, session: hash)
      self.person = person
      lacksSecondFactor = router.site.refuses(account)
      guard !lacksSecondFactor else { return }
      managesAllApps = account.managesAllApps
      apps = try await store.apps().map { AppAccess($0, person: person) }
        .filter { !$0.permissions.isEmpty }
      return
    }
    let all = try await store.apps()
    for hash in session.keys {
      guard let key = try await store.admittedKey(hash: hash, at: now), key.limits.admits(address)
      else { continue }
      for app in all where key.role == .server || key.app == app.id {
        let access = AppAccess(app, key: key)
        if let index = apps.firstIndex(where: { $0.app.id == app.id }) {
          if apps[index].sections.count < access.sections.count { apps[index] = access }
        } else {
          apps.append(access)
        }
      }
      if key.role == .server { managesAllApps = true }
    }
  }
}
