import _Bitmaps

/// A field with a different value on nearly every device, such as an id or an e-mail address.
///
/// It is a hash table with chaining, whose links are indexed by the device's number, so that a link
/// takes 6 to 8 bytes a device.
struct IdentifierColumn: Sendable {
  private var values = PagedArray(TextHash.none)
  /// The first device of each chain; the number of chains is a power of two.
  private var heads = [UInt32](repeating: Self.end, count: 1024)
  /// The next device in a device's chain.
  private var links = PagedArray(Self.end)
  private var count = 0

  /// The end of a chain; no device has this number.
  private static let end = UInt32.max

  subscript(device: UInt32) -> TextHash {
    get { values[device] }
    set {
      let old = values[device]
      guard newValue != old else { return }
      if old != .none { unlink(device, from: chain(of: old)) }
      values[device] = newValue
      guard newValue != .none else { return }
      link(device, to: chain(of: newValue))
      count += 1
      if count > 2 * heads.count { grow() }
    }
  }

  func devices(with texts: some Sequence<String>) -> Bitmap {
    var found: [UInt32] = []
    for wanted in Set(texts.map { TextHash($0) }) {
      var device = heads[chain(of: wanted)]
      while device != Self.end {
        if values[device] == wanted { found.append(device) }
        device = links[device]
      }
    }
    return Bitmap(found)
  }

  private func chain(of value: TextHash) -> Int {
    Int(truncatingIfNeeded: value.bits) & (heads.count - 1)
  }

  private mutating func link(_ device: UInt32, to chain: Int) {
    links[device] = heads[chain]
    heads[chain] = device
  }

  private mutating func unlink(_ device: UInt32, from chain: Int) {
    count -= 1
    let next = links[device]
    var before = heads[chain]
    guard before != device else { return heads[chain] = next }
    while links[before] != device { before = links[before] }
    links[before] = next
  }

  private mutating func grow() {
    heads = [UInt32](repeating: Self.end, count: heads.count * 2)
    let values = values
    values.forEach { device, value in link(device, to: chain(of: value)) }
  }

  var size: Int { values.size + links.size + heads.count * 4 }
}
