import Foundation

/// The rules for passwords (NIST SP 800-63B-4, section 3.1.1).
///
/// Any characters are allowed and none are required, but a password must be long enough to be the only factor.
package enum PasswordRules {
  /// The fewest characters.
  package static let minimum = 15
  /// The most bytes, which bound the work of one hash; a sentence has far fewer.
  package static let maximumBytes = 1024
  /// The fewest different characters, because "aaaaaaaaaaaaaaa" is long but easy to guess.
  package static let fewestDifferent = 5

  /// A sentence that says why a password is refused; `nil` if it is accepted.
  package static func problem(_ password: String, email: String, name: String) -> String? {
    let plain = password.precomposedStringWithCanonicalMapping
    guard plain.unicodeScalars.count >= minimum else {
      return "The password must have at least \(minimum) characters. Four or five words are enough."
    }
    guard plain.utf8.count <= maximumBytes else {
      return "The password must have at most \(maximumBytes) bytes."
    }
    let lowercase = plain.lowercased()
    guard Set(lowercase).count >= fewestDifferent else {
      return "The password must have at least \(fewestDifferent) different characters."
    }
    // The name and the address do not count, because everybody knows them.
    let address = email.lowercased()
    let known = [address, String(address.prefix { $0 != "@" }), name.lowercased()]
      .filter { $0.count >= 3 }.sorted { $0.count > $1.count }
    let rest = known.reduce(lowercase) { $0.replacing($1, with: "") }
    guard rest.unicodeScalars.count >= minimum / 2 else {
      return "The password must be more than your email address or name."
    }
    return nil
  }
}
