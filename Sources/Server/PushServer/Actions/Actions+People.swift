import PushModel

/// The changes that admins make of other people's accounts, in the app in which they act.
extension Actions {
  /// Gives a person a role, with a new account if there is none for the email address.
  ///
  /// - Returns: The account, and the URL of its link; `nil` if its person can sign in already.
  func invite(
    _ typed: String, name: String, as role: Account.Role, inAllApps: Bool, by actor: Actor
  ) async throws -> (account: Account, link: String?) {
    guard let email = EmailAddress(typed) else {
      throw RequestError(.invalid, "enter an email address, such as ada@example.com")
    }
    if !name.isEmpty, let problem = DisplayText.problem(name, upTo: Account.nameLimit) {
      throw RequestError(.invalid, "the name \(problem)")
    }
    let address = try address()
    let grant = try Account.Grant(role, app: inAllApps ? nil : actor.ownApp())
    let now = clock.now()
    let known = try await store.account(email: email.text)
    let invited = known ?? Account(id: "", email: email.text, name: name, createdAt: now)
    try actor.require(.role(app: grant.app), of: invited)
    // An actor who may not change an account gets no link to it, because the link sets its password.
    if invited.hasNotJoined, known != nil { try actor.require(.link, of: invited) }
    let (account, path) = try await store(for: actor, "account.invite", known?.id ?? email.text)
      .invite(email, name: name, grant: grant, by: actor.authority, at: now)
    return (account, path.map { address + $0 })
  }

  /// Sets or, with `nil`, takes away a person's role.
  ///
  /// - Returns: The account, and a link if its person has to choose a new password with the new role.
  func setRole(
    _ role: Account.Role?, inAllApps: Bool, of id: String, by actor: Actor
  ) async throws -> (account: Account, link: String?) {
    let account = try await account(id, knownTo: actor)
    let app = try inAllApps ? nil : actor.ownApp()
    try actor.require(.role(app: app), of: account)
    guard
      let changed = try await store(for: actor, "account.role", id)
        .setRole(role, app: app, of: id, by: actor.authority, at: clock.now())
    else { throw Self.noAccount }
    guard changed.hasNotJoined, !account.hasNotJoined else { return (changed, nil) }
    return (changed, try await makeLink(for: changed, by: actor))
  }

  /// Makes a link with which a person chooses a new password.
  func makeLink(for id: String, by actor: Actor) async throws -> (account: Account, link: String) {
    let account = try await account(id, knownTo: actor)
    try actor.require(.link, of: account)
    return (account, try await makeLink(for: account, by: actor))
  }

  private func makeLink(for account: Account, by actor: Actor) async throws -> String {
    let address = try address()
    let store = store(for: actor, "account.link", account.id)
    guard
      let path = try await store.newLink(for: account, by: actor.authority, at: clock.now())
    else { throw Self.noAccount }
    return address + path
  }

  /// Signs a person out of every browser.
  ///
  /// - Returns: The account, and the number of ended sessions.
  func endSessions(
    of id: String, by actor: Actor
  ) async throws -> (account: Account, count: Int) {
    let account = try await account(id, knownTo: actor)
    try actor.require(.endSessions, of: account)
    let count = try await store(for: actor, "session.end", id).endSessions(of: id, except: nil)
    return (account, count)
  }

  /// Removes the second factor of a person, who then signs in with the password alone.
  func removeSecondFactor(of id: String, by actor: Actor) async throws -> Account {
    let account = try await account(id, knownTo: actor)
    try actor.require(.removeSecondFactor, of: account)
    try await store(for: actor, "second_factor.remove", id).setSecondFactor(nil, of: id)
    return account
  }

  /// Removes all passkeys of a person.
  func removePasskeys(of id: String, by actor: Actor) async throws -> Account {
    let account = try await account(id, knownTo: actor)
    try actor.require(.removePasskeys, of: account)
    try await store(for: actor, "passkey.remove", id).removePasskeys(of: id)
    return account
  }

  /// Removes a person's account.
  func removeAccount(_ id: String, by actor: Actor) async throws -> Account {
    let account = try await account(id, knownTo: actor)
    try actor.require(.remove, of: account)
    _ = try await store(for: actor, "account.remove", id).removeAccount(id)
    return account
  }

  /// An account with a role in the actor's app, or any account if the actor manages all apps.
  ///
  /// - Throws: ``RequestError`` `.notFound` if there is none.
  private func account(_ id: String, knownTo actor: Actor) async throws -> Account {
    guard let account = try await store.account(id),
      actor.managesAllApps || account.grants.contains(where: { $0.app == actor.app })
    else { throw Self.noAccount }
    return account
  }

  private static let noAccount = RequestError.notFound("account with this id")
}
