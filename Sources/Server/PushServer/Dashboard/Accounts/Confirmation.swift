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
    if request.session.isFresh(at: request.now) {
      self = .none
    } else if let person = request.person {
      let account = try await request.api.store.account(person.id)
      if let account, account.password != nil {
        self = .password(of: account)
      } else {
        self = .signIn
      }
    } else {
      self = .key
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
      guard request.session.keys.contains(Identifiers.hash(ofKey: typed)) else {
        throw AccountRequest.Refusal(message: "This is not the key with which you signed in.")
      }
    case .signIn:
      throw AccountRequest.Refusal(
        status: 403,
        message: "You signed in more than ten minutes ago. Sign out and in again to change this.")
    }
  }
}
