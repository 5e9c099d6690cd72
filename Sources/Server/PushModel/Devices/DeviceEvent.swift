package import PushPayload

/// An event on a device, with a name that the app chose.
package struct DeviceEvent: Hashable, Sendable {
  /// The app's id of the event, which counts once on each device; without an id, an event counts each time.
  package var id: String?
  package var name: String
  /// The time of the event; `nil` if it happened now.
  package var date: Timestamp?
  /// The notification to credit with the event; `nil` to credit the one that last opened the app.
  package var send: String?
  /// The items of a purchase.
  package var items: [PurchasedItem] = []
  /// The app's data about the event, an object, which the triggered campaigns that it enrolls a person in keep.
  package var data: JSONValue?

  package init(
    name: String, id: String? = nil, date: Timestamp? = nil, send: String? = nil
  ) {
    self.name = name
    self.id = id
    self.date = date
    self.send = send
  }
}

/// An item of a purchase.
package struct PurchasedItem: Hashable, Sendable {
  package var name: String
  package var quantity: Int64
  /// The price of one item, in the smallest unit of the currency.
  package var price: Int64

  package init(name: String, quantity: Int64, price: Int64) {
    self.name = name
    self.quantity = quantity
    self.price = price
  }
}

/// The number of times that an event happened on a device, and the first and the last time.
package struct EventCount: Hashable, Sendable {
  package var count: Int
  package var first: Timestamp
  package var last: Timestamp

  package init(count: Int, first: Timestamp, last: Timestamp) {
    self.count = count
    self.first = first
    self.last = last
  }
}
