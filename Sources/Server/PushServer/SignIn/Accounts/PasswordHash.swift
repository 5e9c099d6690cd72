import Foundation
package import _OpenSSLCrypto

/// The scrypt hash of a password with its salt and cost, stored in the PHC string format:
/// `$scrypt$ln=15,r=8,p=3$SALT$HASH`.
package struct PasswordHash: Hashable, Sendable {
  private static let saltLength = 16
  private static let hashLength = 32

  let cost: ScryptCost
  let salt: [UInt8]
  let hash: [UInt8]

  /// Hashes a password with a new salt.
  package init(of password: String, cost: ScryptCost) throws {
    let salt = OpenSSLCrypto.randomBytes(Self.saltLength)
    self.cost = cost
    self.salt = salt
    hash = try Self.derive(password, salt: salt, cost: cost, count: Self.hashLength)
  }

  /// Makes a random hash that no known password has; a comparison with it takes as long as with any other.
  init(ofNothingAt cost: ScryptCost) {
    self.cost = cost
    salt = OpenSSLCrypto.randomBytes(Self.saltLength)
    hash = OpenSSLCrypto.randomBytes(Self.hashLength)
  }

  /// Reads a stored hash; `nil` if the text is not a hash, or if its cost is out of bounds.
  package init?(_ text: String) {
    let pattern =
      /\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+\/]{11,86})\$([A-Za-z0-9+\/]{22,86})/
    guard let match = text.wholeMatch(of: pattern), let log = Int(match.1),
      let block = Int(match.2), let parallel = Int(match.3),
      let cost = ScryptCost(log: log, block: block, parallel: parallel),
      let salt = Self.decoded(match.4), let hash = Self.decoded(match.5)
    else { return nil }
    (self.cost, self.salt, self.hash) = (cost, salt, hash)
  }

  package var text: String {
    "$scrypt$ln=\(cost.log),r=\(cost.block),p=\(cost.parallel)$\(Self.encoded(salt))$\(Self.encoded(hash))"
  }

  /// Whether a password has this hash; the comparison takes constant time.
  package func matches(_ password: String) throws -> Bool {
    let other = try Self.derive(password, salt: salt, cost: cost, count: hash.count)
    return OpenSSLCrypto.constantTimeEqual(hash, other)
  }

  /// Passwords are hashed in Unicode's form C, so that characters that look alike are the same (RFC
  /// 8265, section 4.2.2).
  private static func derive(
    _ password: String, salt: [UInt8], cost: ScryptCost, count: Int
  ) throws -> [UInt8] {
    try OpenSSLCrypto.scrypt(
      password: Array(password.precomposedStringWithCanonicalMapping.utf8), salt: salt, cost: cost,
      count: count)
  }

  private static func encoded(_ bytes: [UInt8]) -> String {
    String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
  }

  private static func decoded(_ text: Substring) -> [UInt8]? {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: text + padding).map { Array($0) }
  }
}

/// The description and the mirror show no part of the hash, so that logs and dumps do not contain it.
extension PasswordHash: CustomStringConvertible, CustomReflectable {
  package var description: String { "PasswordHash" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
