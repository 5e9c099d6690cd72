import PushPayload

/// An item of a purchase, for ``PushDevice/record(_:items:notification:)``.
public struct PurchasedItem: Hashable, Sendable {
  /// The item's name, 1 to 255 characters.
  public var name: String
  /// The number of items bought, 1 to 1000.
  public var quantity: Int
  /// The price of one item in the smallest unit of the currency, such as cents.
  public var price: Int

  /// Creates an item.
  ///
  /// - Parameters:
  ///   - name: The item's name.
  ///   - quantity: The number of items bought.
  ///   - price: The price of one item in the smallest unit of the currency.
  public init(name: String, quantity: Int = 1, price: Int) {
    self.name = name
    self.quantity = quantity
    self.price = price
  }

  var json: JSONValue {
    [
      "name": .string(name), "quantity": .integer(Int64(quantity)), "price": .integer(Int64(price)),
    ]
  }
}

extension StoredFact {
  /// An event of the app.
  static func event(
    _ name: String, id: String, items: [PurchasedItem], notification: String?, at now: Int64
  ) -> StoredFact {
    var members: [String: JSONValue] = [
      "id": .string(id), "name": .string(name), "date": .string(Milliseconds(now).text),
    ]
    members["notification_id"] = notification.map(JSONValue.string)
    if !items.isEmpty { members["items"] = .array(items.map(\.json)) }
    return StoredFact(id: id, json: .object(members))
  }
}
