/// A new password, which its person has typed twice.
struct NewPassword: Sendable {
  var text: String
  var again: String

  /// - Throws: ``RequestError`` `.invalid` at `password` if it breaks ``PasswordRules``, at `again` if the two differ.
  func check(email: String, name: String) throws(RequestError) {
    if let problem = PasswordRules.problem(text, email: email, name: name) {
      throw RequestError(.invalid, problem, at: "password")
    }
    guard again == text else {
      throw RequestError(.invalid, "The two passwords differ.", at: "again")
    }
  }
}
