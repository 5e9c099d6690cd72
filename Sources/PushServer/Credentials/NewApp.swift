package import PushPayload
package import PushStore
import _OpenSSLCrypto

/// What someone says about an app, before it is checked.
package struct NewApp: Sendable {
  package var bundleID: String
  package var teamID: String
  package var keyID: String
  /// The text of the p8 file.
  package var privateKey: String
  package var name: String?

  package init(
    bundleID: String, teamID: String, keyID: String, privateKey: String, name: String? = nil
  ) {
    self.bundleID = bundleID
    self.teamID = teamID
    self.keyID = keyID
    self.privateKey = privateKey
    self.name = name
  }

  /// Which field is refused, and why.
  package struct Problem: Error, Sendable {
    package var field: String
    package var message: String
  }

  /// - Throws: ``Problem`` for the first field that is refused.
  package func check() throws(Problem) { try check(withKey: true) }

  func check(withKey hasKey: Bool) throws(Problem) {
    try check("bundle_id", bundleID, "a bundle id such as com.example.app", 1...155)
    try check("team_id", teamID, "the team id of 10 letters and digits", 1...32)
    try check("key_id", keyID, "the key id of 10 letters and digits", 1...32)
    if let name, !(1...100).contains(name.count) {
      throw Problem(field: "name", message: "must be 1 to 100 characters")
    }
    guard hasKey else { return }
    do {
      _ = try OpenSSLCrypto().privateKey(pem: privateKey)
    } catch {
      throw Problem(field: "private_key", message: "must be the text of a p8 file: \(error)")
    }
  }

  /// Checks it and makes the app with one key a role.
  package func make(
    at now: Timestamp, sealedWith secretKey: SecretKey
  ) throws(Problem) -> CreatedApp {
    try check()
    let id = Identifiers.makeObjectID()
    let app = App(
      id: id, name: name ?? bundleID, bundleID: bundleID, teamID: teamID, keyID: keyID,
      sealedKey: secretKey.seal(privateKey, for: id), createdAt: now)
    let keys = [APIKey.Role.push, .analytics, .device, .admin].map { role in
      (role: role, made: APIKey.make(role: role, app: app.id, at: now))
    }
    return CreatedApp(
      app: app, records: keys.map(\.made.record),
      keys: keys.map { (role: $0.role, key: $0.made.key) })
  }

  private func check(
    _ field: String, _ text: String, _ what: String, _ length: ClosedRange<Int>
  ) throws(Problem) {
    let isPlain = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
    guard isPlain, length.contains(text.utf8.count) else {
      throw Problem(field: field, message: "must be \(what)")
    }
  }
}

/// An app just made, with its keys for the only time.
package struct CreatedApp: Sendable {
  package var app: App
  package var records: [APIKey]
  package var keys: [(role: APIKey.Role, key: String)]

  /// `{"id", "keys": {"push", "analytics", "device", "admin"}}`.
  package var json: JSONValue {
    [
      "id": .string(app.id),
      "keys": .object(
        Dictionary(
          keys.map { ($0.role.rawValue, .string($0.key)) }, uniquingKeysWith: { $1 })),
    ]
  }
}
