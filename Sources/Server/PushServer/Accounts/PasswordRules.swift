import Foundation

/// What a person may choose as a password (NIST SP 800-63B-4, section 3.1.1): any characters, no rules of their kinds,
/// and long enough to be the only factor.
package enum PasswordRules {
  /// The fewest characters.
  package static let minimum = 15
  /// The most bytes, which bound the work of one hash; several times what a sentence has.
  package static let maximumBytes = 1024
  /// The fewest different characters: "aaaaaaaaaaaaaaa" is long and the first guess.
  package static let fewestDifferent = 5

  /// Why a password is refused, in a sentence; `nil` for one that is taken.
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
    // What is left of it without what everybody knows about the person.
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
