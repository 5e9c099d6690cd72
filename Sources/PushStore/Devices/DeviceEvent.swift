/// Something that happened on a device, which an app has a name for.
package struct DeviceEvent: Hashable, Sendable {
  package var name: String
  /// `nil` is now.
  package var date: Timestamp?
  /// The notification that it is credited to; without one, that by which the app was opened last.
  package var send: String?
  /// What was bought, where it was a purchase.
  package var items: [PurchasedItem] = []

  package init(name: String, date: Timestamp? = nil, send: String? = nil) {
    self.name = name
    self.date = date
    self.send = send
  }
}

/// Something that was bought, and how many of it.
package struct PurchasedItem: Hashable, Sendable {
  package var name: String
  package var quantity: Int64
  /// Of one, in the smallest unit of the currency.
  package var price: Int64

  package init(name: String, quantity: Int64, price: Int64) {
    self.name = name
    self.quantity = quantity
    self.price = price
  }
}

/// How often an event happened, and when.
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
