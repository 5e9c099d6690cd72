/// The rights of an actor over other accounts.
///
/// The store checks them again when a link is used, so a link is worth no more than the rights that its maker still
/// has.
package struct Authority: Hashable, Sendable {
  /// A user of the command line, a person or a key.
  package enum Actor: Hashable, Sendable {
    /// The command line. Its user has access to the store's files.
    case commandLine
    /// A person, by the id of the account.
    case account(String)
    /// A key, by its id.
    case key(String)
  }

  /// The accounts that an actor manages.
  package enum Scope: Hashable, Sendable {
    case allApps
    /// The accounts that have roles only in this app.
    case app(String)
  }

  /// A change of an account.
  package enum Change: Hashable, Sendable {
    /// Gives, changes or takes away a role in an app or, with `nil`, in all apps.
    case role(app: String?)
    /// Makes a link with which the person chooses a password.
    case link
    case endSessions, removeSecondFactor, removePasskeys, remove
  }

  /// A reason to refuse a change.
  package enum Refusal: Hashable, Sendable {
    /// The actor manages no accounts.
    case noRight
    /// Nobody may change or remove their own role.
    case ownRole
    /// People change their own credentials on their own page, which asks for the password.
    case ownCredential
    /// The role is in all apps or in another app.
    case otherRole
    /// The account has access to more than the actor's app.
    case otherAccount
  }

  package var actor: Actor
  /// The accounts that the actor manages; `nil` if it manages no accounts.
  package var scope: Scope?

  package init(_ actor: Actor, scope: Scope?) {
    self.actor = actor
    self.scope = scope
  }

  package static let commandLine = Authority(.commandLine, scope: .allApps)

  /// The reason to refuse a change of an account; `nil` if the actor may make the change.
  package func refusal(of change: Change, to target: Account) -> Refusal? {
    guard let scope else { return .noRight }
    if actor == .account(target.id) {
      switch change {
      case .role, .remove: return .ownRole
      case .link, .removeSecondFactor, .removePasskeys: return .ownCredential
      case .endSessions: return nil
      }
    }
    switch (scope, change) {
    case (.allApps, _): return nil
    case (.app(let own), .role(let app)): return app == own ? nil : .otherRole
    case (.app(let own), _): return target.belongs(to: own) ? nil : .otherAccount
    }
  }
}

extension Account {
  /// Whether the person manages all apps and therefore all accounts.
  package var managesAllApps: Bool { manages(.allApps) }

  /// Whether the person is an admin of everything in a scope.
  package func manages(_ scope: Authority.Scope) -> Bool {
    grants.contains { grant in
      grant.role == .admin && (grant.app == nil || scope == grant.app.map { .app($0) })
    }
  }

  /// Whether the account has roles only in this app, so that the app's admins may change it.
  package func belongs(to app: String) -> Bool {
    !grants.isEmpty && grants.allSatisfy { $0.app == app }
  }
}

extension APIKey {
  /// Whether the key's holder manages everything in a scope.
  package func manages(_ scope: Authority.Scope) -> Bool {
    switch role {
    case .server: true
    case .admin: scope == app.map { .app($0) }
    case .push, .analytics, .device, .metrics: false
    }
  }
}
