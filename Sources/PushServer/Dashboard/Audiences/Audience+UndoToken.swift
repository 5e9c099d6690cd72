import PushCrypto
import PushPayload
import PushStore

/// An audience that was deleted, on its way through the page that offers to undo it.
extension Audience {
  private static func owner(_ visit: Visit) -> String { "deleted audience/" + visit.app.id }

  /// For this server's eyes, so that nobody makes up an id.
  func sealed(_ visit: Visit) -> String {
    let value: JSONValue = [
      "id": .string(id), "name": .optional(name), "test": .bool(isTest),
      "filters": .array(filters.map(\.stored)), "created_at": .integer(createdAt.milliseconds),
    ]
    let text = String(decoding: value.serialized(), as: UTF8.self)
    return Base64URL.encode(visit.api.secretKey.seal(text, for: Self.owner(visit)))
  }

  /// `nil` for anything but what ``sealed(_:)`` made for the same app.
  init?(sealed: String, _ visit: Visit) {
    guard let bytes = Base64URL.decode(sealed),
      let text = visit.api.secretKey.open(bytes, for: Self.owner(visit)),
      let value = try? JSONValue(parsing: text), let id = value["id"]?.string,
      let created = value["created_at"]?.integer, let stored = value["filters"]?.array
    else { return nil }
    let filters = stored.compactMap(Filter.init(stored:))
    // With one filter less it would be more devices.
    guard filters.count == stored.count else { return nil }
    self.init(
      id: id, app: visit.app.id, filters: filters, createdAt: Timestamp(milliseconds: created))
    name = value["name"]?.string
    isTest = value["test"]?.bool ?? false
    updatedAt = visit.now
  }
}
