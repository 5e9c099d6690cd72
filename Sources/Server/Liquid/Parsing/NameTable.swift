/// The names in a template, each with the number of its slot.
struct NameTable: Sendable {
  private var slots: [String: Int] = [:]
  /// Whether a tag of the template assigns a variable.
  var isWritten = false
  var count: Int { slots.count }

  var bySlot: [Int: String] { Dictionary(uniqueKeysWithValues: slots.map { ($1, $0) }) }

  func existingSlot(of name: String) -> Int? { slots[name] }

  mutating func slot(of name: String) -> Int {
    if let slot = slots[name] { return slot }
    slots[name] = slots.count
    return slots.count - 1
  }
}
