import PushModel

extension Actions {
  /// The account whose person may choose a password by a link; `nil` if the link is over.
  func account(link token: String) async throws -> Account? {
    try await store.account(link: AccountLink.hash(of: token), at: clock.now())
  }

  /// Sets the name and the password that a person has chosen by a link, which works once.
  ///
  /// - Returns: `false` if the link is over.
  /// - Throws: ``RequestError`` `.invalid` at `name`, `password` or `again` if a value is refused.
  func redeem(
    link token: String, name: String, password: NewPassword, by visitor: Visitor
  ) async throws -> Bool {
    guard var account = try await account(link: token) else { return false }
    guard (1...Account.nameLimit).contains(name.unicodeScalars.count) else {
      throw RequestError(
        .invalid, "Enter your name, of at most \(Account.nameLimit) characters.", at: "name")
    }
    if let problem = DisplayText.problem(name, upTo: Account.nameLimit) {
      throw RequestError(.invalid, "The name \(problem).", at: "name")
    }
    try password.check(email: account.email, name: name)
    let hash = try await passwordHash(password.text)
    account.name = name
    let person = visitor.identified(as: .person(Person(account)))
    let redeemed = try await store(forServer: person, "account.password", account.id).redeem(
      link: AccountLink.hash(of: token), name: name, with: .password(hash.text), at: clock.now())
    return redeemed != nil
  }
}
