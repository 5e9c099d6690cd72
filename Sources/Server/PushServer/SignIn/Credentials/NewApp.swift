package import PushModel
package import PushPayload
import _OpenSSLCrypto

/// An app as a caller describes it, not yet checked or stored.
package struct NewApp: Sendable {
  package var bundleID: String
  package var teamID: String
  package var keyID: String
  /// The text of the app's p8 file, in PEM.
  package var privateKey: String
  package var name: String?
  /// The proof of its user that a device key must give.
  package var identity = App.Identity.required

  package init(
    bundleID: String, teamID: String, keyID: String, privateKey: String, name: String? = nil
  ) {
    self.bundleID = bundleID
    self.teamID = teamID
    self.keyID = keyID
    self.privateKey = privateKey
    self.name = name
  }

  /// A refused field, by its name in the API, and the reason.
  package struct Problem: Error, Sendable {
    package var field: String
    package var message: String
  }

  /// Checks every field.
  ///
  /// - Throws: ``Problem`` for the first field that is refused.
  package func check() throws(Problem) { try check(withKey: true) }

  /// Checks every field; ``privateKey`` is checked only if `hasKey` is true.
  func check(withKey hasKey: Bool) throws(Problem) {
    guard Self.isBundleID(bundleID) else {
      throw Problem(
        field: "bundle_id", message: "must be a bundle id such as com.example.app")
    }
    for (id, field, name) in [(teamID, "team_id", "team"), (keyID, "key_id", "key")] {
      guard Self.isAppleID(id) else {
        throw Problem(
          field: field, message: "must be the \(name) id of 10 capital letters and digits")
      }
    }
    if let name, let problem = DisplayText.problem(name, upTo: 100) {
      throw Problem(field: "name", message: problem)
    }
    guard hasKey else { return }
    do {
      _ = try OpenSSLCrypto().privateKey(pem: privateKey)
    } catch {
      throw Problem(field: "private_key", message: "must be the text of a p8 file: \(error)")
    }
  }

  /// Checks the description and makes the app, with an API key for each role.
  ///
  /// - Throws: ``Problem`` for the first field that is refused.
  package func make(
    at now: Timestamp, sealedWith secretKey: SecretKey
  ) throws(Problem) -> CreatedApp {
    try check()
    let id = Identifiers.makeObjectID()
    let app = App(
      id: id, name: name ?? bundleID, bundleID: bundleID, teamID: teamID, keyID: keyID,
      sealedKey: secretKey.seal(privateKey, for: id), identity: identity, createdAt: now)
    let keys = [APIKey.Role.push, .analytics, .device, .admin].map { role in
      (role: role, made: APIKey.make(role: role, app: app.id, at: now))
    }
    return CreatedApp(
      app: app, records: keys.map(\.made.record),
      keys: keys.map { (role: $0.role, key: $0.made.key) })
  }

  private static func isBundleID(_ text: String) -> Bool {
    (1...155).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        isCapitalOrDigit(byte) || (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "-")
          || byte == UInt8(ascii: ".")
      }
  }

  /// Whether a text has the form of Apple's team and key ids.
  private static func isAppleID(_ text: String) -> Bool {
    text.utf8.count == 10 && text.utf8.allSatisfy(isCapitalOrDigit)
  }

  private static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
  }
}

/// A new app with its API keys, which cannot be read anywhere else.
package struct CreatedApp: Sendable {
  package var app: App
  /// The records of ``keys`` that are stored.
  package var records: [APIKey]
  package var keys: [(role: APIKey.Role, key: String)]

  /// The API's answer: `{"id", "keys": {"push", "analytics", "device", "admin"}}`.
  package var json: JSONValue {
    [
      "id": .string(app.id),
      "keys": .object(
        Dictionary(
          keys.map { ($0.role.rawValue, .string($0.key)) }, uniquingKeysWith: { $1 })),
    ]
  }
}
