import PushCrypto
import PushModel
import PushPayload

/// A deleted audience as an encrypted token, with which a page offers to undo the deletion.
extension Audience {
  private static func owner(_ app: String) -> String { "deleted audience/" + app }

  /// The audience, sealed with the server's secret key, so that nobody can forge an ID.
  func undoToken(_ secretKey: SecretKey) -> String {
    let value: JSONValue = [
      "id": .string(id), "name": .optional(name), "test": .bool(isTest),
      "filters": storedConditions, "created_at": .integer(createdAt.milliseconds),
    ]
    let text = String(decoding: value.serialized(), as: UTF8.self)
    let sealed = secretKey.seal(text, as: .undo, for: Self.owner(app))
    return Base64URL.encode(sealed)
  }

  /// Restores an audience; `nil` unless the text is a token of ``undoToken(_:)`` for the same app.
  init?(undoToken: String, app: String, at now: Timestamp, _ secretKey: SecretKey) {
    guard let bytes = Base64URL.decode(undoToken),
      let text = secretKey.open(bytes, as: .undo, for: Self.owner(app)),
      let value = try? JSONValue(parsing: text), let id = value["id"]?.string,
      let created = value["created_at"]?.integer, let stored = value["filters"]
    else { return nil }
    self.init(id: id, app: app, filters: [], createdAt: Timestamp(milliseconds: created))
    guard apply(storedConditions: stored) else { return nil }
    name = value["name"]?.string
    isTest = value["test"]?.bool ?? false
    updatedAt = now
  }
}
