/// The judge of who may do what to whose account.
///
/// The store asks it once more when a link is used, so a link is worth no more than the rights that its maker still has.
package struct Authority: Hashable, Sendable {
  /// Somebody who acts.
  package enum Actor: Hashable, Sendable {
    /// The command line, whose user has the store's files.
    case commandLine
    /// A person, by the id of the account.
    case account(String)
    /// A key, by its id.
    case key(String)
  }

  /// The accounts that an actor manages.
  package enum Scope: Hashable, Sendable {
    case allApps
    /// The accounts whose roles are all in this app.
    case app(String)
  }

  /// A change of an account.
  package enum Change: Hashable, Sendable {
    /// To give, change or take away a role in an app or, with `nil`, in all.
    case role(app: String?)
    /// To make a link with which a password is chosen.
    case link
    case endSessions, removeSecondFactor, removePasskeys, remove
  }

  /// Why a change is refused.
  package enum Refusal: Hashable, Sendable {
    /// The actor manages nobody.
    case noRight
    /// Nobody changes or removes the own role.
    case ownRole
    /// The own page, which asks for the password, changes how its person signs in.
    case ownCredential
    /// A role in all apps, or in another app.
    case otherRole
    /// The account opens more than the actor's app.
    case otherAccount
  }

  package var actor: Actor
  /// The accounts that the actor manages; `nil` for none.
  package var scope: Scope?

  package init(_ actor: Actor, scope: Scope?) {
    self.actor = actor
    self.scope = scope
  }

  package static let commandLine = Authority(.commandLine, scope: .allApps)

  /// Why a change of an account is refused; `nil` where the actor may make it.
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
  /// Whether the person manages all apps, and so everybody's account.
  package var managesAllApps: Bool { manages(.allApps) }

  /// Whether the person is an admin of what a scope covers.
  package func manages(_ scope: Authority.Scope) -> Bool {
    grants.contains { grant in
      grant.role == .admin && (grant.app == nil || scope == grant.app.map { .app($0) })
    }
  }

  /// Whether an account is of one app alone, so that the app's admins may change it.
  package func belongs(to app: String) -> Bool {
    !grants.isEmpty && grants.allSatisfy { $0.app == app }
  }
}

extension APIKey {
  /// Whether the key's holder manages what a scope covers.
  package func manages(_ scope: Authority.Scope) -> Bool {
    switch role {
    case .server: true
    case .admin: scope == app.map { .app($0) }
    case .push, .analytics, .device, .metrics: false
    }
  }
}
