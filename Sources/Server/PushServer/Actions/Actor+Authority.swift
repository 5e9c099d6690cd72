import PushModel

extension Actor {
  /// Whether the actor manages all apps, including those added later.
  var managesAllApps: Bool {
    switch identity {
    case .key(let key): key.role == .server
    case .person(let person): person.account.managesAllApps
    }
  }

  /// - Throws: ``RequestError`` `.forbidden` if the actor does not manage all apps; `what` is the action, such as
  ///   "add apps".
  func requireAllApps(to what: String) throws(RequestError) {
    guard managesAllApps else {
      throw RequestError(.forbidden, "only an admin of all apps may \(what)")
    }
  }

  /// The rights of the actor over people's accounts.
  var authority: Authority {
    let scope: Authority.Scope? =
      managesAllApps ? .allApps : may(.manage) ? app.map { .app($0) } : nil
    return switch identity {
    case .key(let key): Authority(.key(key.id), scope: scope)
    case .person(let person): Authority(.account(person.id), scope: scope)
    }
  }

  /// Whether the actor may make a change of an account.
  func may(_ change: Authority.Change, of account: Account) -> Bool {
    (try? require(change, of: account)) != nil
  }

  /// - Throws: ``RequestError`` if the actor may not make a change of an account.
  func require(_ change: Authority.Change, of account: Account) throws(RequestError) {
    switch authority.refusal(of: change, to: account) {
    case nil: return
    case .noRight:
      throw RequestError(
        .forbidden, "your role does not allow you to change people; ask an admin of the app")
    case .ownRole:
      throw RequestError(.invalid, "you cannot change your own role; ask another admin")
    case .ownCredential:
      throw RequestError(
        .forbidden, "change how you sign in at Your account, where you are asked for your password")
    case .otherRole:
      throw RequestError(.forbidden, "only an admin of all apps gives roles in all apps")
    case .otherAccount:
      throw RequestError(
        .forbidden,
        "\(account.email) has roles in other apps, so only an admin of all apps may do this")
    }
  }
}
