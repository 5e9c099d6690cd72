import Foundation

/// The items of a keychain and what may be done with them, as a value.
///
/// The statuses are those of Apple's published Security. Attributes can be read from the first unlock on; the secret
/// only while the
/// phone's state opens the item's protection class (Apple Platform Security, "Keychain data protection").
struct Keychain {
  /// The items of the access groups that the process has.
  var items: [KeychainItem]
  /// The access groups of the process, the one of new items first.
  let groups: [String]
  let opens: (FileProtectionType) -> Bool

  init(
    items: [KeychainItem], groups: [String],
    opens: @escaping (FileProtectionType) -> Bool = { _ in true }
  ) {
    (self.items, self.groups, self.opens) = (items, groups, opens)
  }

  /// Adds an item.
  ///
  /// - Returns: What the query asks for; `nil` if it asks for nothing.
  mutating func add(_ dictionary: NSDictionary, at now: Date) throws(KeychainError) -> AnyObject? {
    let query = try KeychainQuery(dictionary, for: .add)
    try checkGroup(of: query)
    guard let kind = query.kind, let first = groups.first else {
      throw KeychainError(status: errSecMissingEntitlement)
    }
    let defaults: [String: KeychainItem.Value] = [
      "agrp": .text(first), "pdmn": .text("ak"), "sync": .number(0), "cdat": .date(now),
      "mdat": .date(now),
    ]
    let item = KeychainItem(
      kind: kind, attributes: defaults.merging(query.attributes) { $1 }, secret: query.secret)
    guard opens(item.protection) else {
      throw KeychainError(status: errSecInteractionNotAllowed)
    }
    try insert(item)
    return answer([item], to: query)
  }

  /// Finds items.
  ///
  /// - Returns: What the query asks for; `nil` if it asks for nothing.
  func find(_ dictionary: NSDictionary) throws(KeychainError) -> AnyObject? {
    let query = try KeychainQuery(dictionary, for: .find)
    let found = try indices(query).prefix(query.limit ?? .max).map { items[$0] }
    try checkLock(of: found, secrets: query.returnsData)
    return answer(found, to: query)
  }

  /// Changes all items of a query.
  mutating func update(
    _ dictionary: NSDictionary, to changes: NSDictionary, at now: Date
  ) throws(KeychainError) {
    let query = try KeychainQuery(dictionary, for: .update)
    let change = try KeychainQuery(changes, for: .changes)
    try checkGroup(of: change)
    let found = try indices(query)
    try checkLock(of: found.map { items[$0] }, secrets: change.secret != nil)
    guard let kind = query.kind, Set(change.attributes.keys).isSubset(of: kind.attributes) else {
      throw KeychainError(status: errSecNoSuchAttr)
    }
    var changed = self
    let before = found.map { items[$0] }
    changed.items.removeAll(where: before.contains)
    for var item in before {
      item.attributes.merge(change.attributes) { $1 }
      item.attributes["mdat"] = .date(now)
      item.secret = change.secret ?? item.secret
      try changed.insert(item)
    }
    self = changed
  }

  /// Deletes all items of a query.
  mutating func delete(_ dictionary: NSDictionary) throws(KeychainError) {
    let query = try KeychainQuery(dictionary, for: .delete)
    let found = Set(try indices(query))
    items = items.indices.filter { !found.contains($0) }.map { items[$0] }
  }

  private mutating func insert(_ item: KeychainItem) throws(KeychainError) {
    guard !items.contains(where: { $0.identity == item.identity }) else {
      throw KeychainError(status: errSecDuplicateItem)
    }
    items.append(item)
  }

  private func checkGroup(of query: KeychainQuery) throws(KeychainError) {
    guard let first = groups.first, groups.contains(query.attributes["agrp"]?.text ?? first) else {
      throw KeychainError(status: errSecMissingEntitlement)
    }
  }

  /// The places of a query's items, of which there is at least one.
  private func indices(_ query: KeychainQuery) throws(KeychainError) -> [Int] {
    try checkGroup(of: query)
    let found = items.indices.filter { query.matches(items[$0]) }
    guard !found.isEmpty else { throw KeychainError(status: errSecItemNotFound) }
    return found
  }

  private func checkLock(of found: [KeychainItem], secrets: Bool) throws(KeychainError) {
    let isOpen = found.allSatisfy { item in
      opens(item.protection)
        || (!secrets && opens(.completeUntilFirstUserAuthentication))
    }
    guard isOpen else { throw KeychainError(status: errSecInteractionNotAllowed) }
  }

  /// The data, the attributes or both of items: of one, or as an array if the query wants more.
  private func answer(_ found: [KeychainItem], to query: KeychainQuery) -> AnyObject? {
    guard query.returnsData || query.returnsAttributes else { return nil }
    let answers: [AnyObject] = found.map { item in
      guard query.returnsAttributes else { return NSData(data: item.secret ?? Data()) }
      var attributes = item.attributes.mapValues(\.object)
      attributes["class"] = item.kind.rawValue
      if query.returnsData { attributes["v_Data"] = item.secret ?? Data() }
      return NSDictionary(dictionary: attributes)
    }
    return query.limit == 1 ? answers.first : NSArray(array: answers)
  }
}
