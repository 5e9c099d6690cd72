import Markup

extension PageRequest {
  /// The way in which the user shows who they are.
  var confirmation: Confirmation { Confirmation(of: actor, in: session, at: now) }

  /// Checks the password or the key that the form has sent.
  ///
  /// - Throws: ``RequestError`` if it does not show who the user is.
  func confirm() async throws {
    try await actions.confirm(actor, by: form.password(Confirmation.fieldName), in: session)
  }
}

extension Confirmation {
  fileprivate static let fieldName = "current"

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
    <input id="\(id)" name="\(Self.fieldName)" type="password" required autocomplete="\(autocomplete)">
    """
  }
}
