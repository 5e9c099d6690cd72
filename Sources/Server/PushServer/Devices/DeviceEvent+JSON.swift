import PushModel
import PushPayload

extension DeviceEvent {
  /// The largest number of events in one list.
  static let listLimit = 1000
  /// The largest number of items in one purchase.
  private static let itemLimit = 100
  /// The form of the names of events and items, for an error message.
  private static let nameForm = "must be 1 to 255 characters without quotes and backslashes"

  /// Reads a list of events; `prefix` is put before their names.
  static func list(
    _ field: BodyValue, prefix: String = ""
  ) throws(RequestError) -> ValidElements<DeviceEvent> {
    try ValidElements(field, upTo: listLimit, of: "events") { element throws(RequestError) in
      try DeviceEvent(element, prefix: prefix)
    }
  }

  private init(_ field: BodyValue, prefix: String) throws(RequestError) {
    let name = try field.required("name")
    let text = try name.string()
    guard Attribute.isName(text) else { throw .refused(name.path, Self.nameForm) }
    self.init(name: prefix + text)
    if let id = field["id"] {
      self.id = try id.string()
      guard (1...64).contains(self.id?.unicodeScalars.count ?? 0) else {
        throw .refused(id.path, "must be 1 to 64 characters")
      }
    }
    if let date = field["date"] {
      guard let time = Timestamp(iso8601: try date.string()) else {
        throw .refused(date.path, "must be an ISO 8601 date")
      }
      self.date = time
    }
    send = try field["notification_id"]?.string()
    items = try Self.items(field["items"])
    data = try field["data"].map { value throws(RequestError) in try Self.data(value) }
  }

  /// Reads the data of an event, which triggered campaigns keep.
  static func data(_ field: BodyValue) throws(RequestError) -> JSONValue {
    _ = try field.object()
    let size = field.value.bytes.count
    guard size <= Enrollment.dataLimit else {
      throw .refused(
        field.path, "must be at most \(Enrollment.dataLimit) bytes as JSON, and is \(size)")
    }
    return field.value
  }

  private static func items(_ field: BodyValue?) throws(RequestError) -> [PurchasedItem] {
    guard let field else { return [] }
    let elements = try field.elements()
    guard elements.count <= itemLimit else {
      throw .refused(field.path, "must have at most \(itemLimit) items")
    }
    var items: [PurchasedItem] = []
    for element in elements {
      let name = try element.required("name")
      let text = try name.string()
      guard Attribute.isName(text) else { throw .refused(name.path, Self.nameForm) }
      items.append(
        PurchasedItem(
          name: text, quantity: try element["quantity"]?.integer(in: 1...1000) ?? 1,
          price: try element.required("price").integer(in: 0...100_000_000)))
    }
    return items
  }
}
