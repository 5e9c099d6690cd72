import Markup
import PushStore

/// The way in which users show who they are before a change of the ways to sign in.
///
/// Somebody who finds an open session can look and send, but cannot stay.
enum Confirmation {
  /// The user has just signed in.
  case none
  case password(of: Account)
  /// The key with which the user has signed in.
  case key
  /// The person signs in only with a provider.
  case signIn

  private static let field = "current"

  init(for request: PageRequest) async throws {
    let isFresh = request.session.isFresh(at: request.now)
    guard let person = request.person else {
      // Only the key that was added last has signed in at the session's beginning.
      self = isFresh && request.session.keys.first == request.key.hash ? .none : .key
      return
    }
    let account = try await request.api.store.account(person.id)
    if let account, account.password != nil {
      self = isFresh && request.session.isProven ? .none : .password(of: account)
    } else {
      self = isFresh ? .none : .signIn
    }
  }

  /// The field for the password or the key, with an id that no other form of the page has.
  func field(id: String) -> HTML? {
    switch self {
    case .none: nil
    case .password: field(id: id, "Your password", autocomplete: "current-password")
    case .key: field(id: id, "Your API key", autocomplete: "off")
    case .signIn: "<p class=\"help\">Sign out and in again to change this.</p>"
    }
  }

  private func field(id: String, _ label: String, autocomplete: String) -> HTML {
    """
    <label for="\(id)">\(label)</label>
    <input id="\(id)" name="\(Self.field)" type="password" required autocomplete="\(autocomplete)">
    """
  }

  /// Checks the password or the key that a form has sent.
  ///
  /// - Throws: ``AccountRequest/Refusal`` if it does not show who the user is.
  func check(_ request: PageRequest) async throws {
    let typed = request.form.all(Self.field).first ?? ""
    switch self {
    case .none: break
    case .password(let account):
      try await request.api.checkPassword(
        typed, of: account, in: request.person?.session ?? [], for: request.call)
    case .key:
      guard Identifiers.hash(ofKey: typed) == request.key.hash else {
        throw AccountRequest.Refusal(
          message: "This is not the key \(request.key.name ?? request.key.id) of your session.")
      }
    case .signIn:
      throw AccountRequest.Refusal(
        status: 403,
        message: "You signed in more than ten minutes ago. Sign out and in again to change this.")
    }
  }
}
