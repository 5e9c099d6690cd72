package import PushPayload

/// An event on a device, by a name of the app's.
package struct DeviceEvent: Hashable, Sendable {
  /// The app's id of the event, which counts once on each device; `nil` counts each time.
  package var id: String?
  package var name: String
  /// When the event happened; `nil` is now.
  package var date: Timestamp?
  /// The notification that the event is credited to; `nil` credits the one that the app was last
  /// opened by.
  package var send: String?
  /// The items of a purchase.
  package var items: [PurchasedItem] = []
  /// What the app says of the event, an object; the triggered campaigns that it enrolls its person in
  /// keep it.
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
  /// The price of one, in the smallest unit of the currency.
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
