import PushStore

extension PageRequest {
  /// The rights of the user over people's accounts.
  var authority: Authority {
    let scope: Authority.Scope? =
      access.managesAllApps ? .allApps : may(.manage) ? .app(app.id) : nil
    return Authority(person.map { .account($0.id) } ?? .key(key.id), scope: scope)
  }

  /// - Throws: ``RequestError`` if the user may not make a change of an account.
  func check(_ change: Authority.Change, of account: Account) throws(RequestError) {
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
