/// The sums over the sends of a transactional group.
package struct GroupStats: Hashable, Sendable {
  package var sent = 0
  package var opened = 0
  package var openedIndirectly = 0
  package var conversions: [String: Int] = [:]
  /// The purchases by the names of their items.
  package var purchases: [String: Purchases] = [:]

  package init() {}
}

/// The purchases of one item.
package struct Purchases: Hashable, Sendable {
  package var count = 0
  /// The sum of the prices, in the smallest unit of the currency.
  package var value = 0

  package init(count: Int = 0, value: Int = 0) {
    self.count = count
    self.value = value
  }
}
