import _Bitmaps

/// A text by 64 bits of a hash that is keyed anew in each process.
///
/// What nearly every device has another of would cost ten times as much as text. Among ten million
/// devices one that is asked for is mistaken for another once in a million million times, and nobody
/// outside can choose texts that meet.
struct Fingerprint: Hashable, Sendable {
  var bits: UInt64

  /// 0 is of no text.
  static let none = Fingerprint(bits: 0)

  private init(bits: UInt64) { self.bits = bits }

  init(_ text: String) {
    var hasher = Hasher()
    hasher.combine(text)
    bits = max(1, UInt64(bitPattern: Int64(hasher.finalize())))
  }
}

/// A field of which nearly every device has another value, an id or an address, by a hash table of
/// chains: whose link is where is said by the device's number, so it costs 6 to 8 bytes a device.
struct IdentifierColumn: Sendable {
  private var values = Pages(Fingerprint.none)
  /// The first device of each chain; as many as a power of two.
  private var heads = [UInt32](repeating: Self.end, count: 1024)
  /// The device that follows in the chain.
  private var links = Pages(Self.end)
  private var count = 0

  /// No device: so many are more than an index can hold.
  private static let end = UInt32.max

  subscript(device: UInt32) -> Fingerprint {
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
    for wanted in Set(texts.map { Fingerprint($0) }) {
      var device = heads[chain(of: wanted)]
      while device != Self.end {
        if values[device] == wanted { found.append(device) }
        device = links[device]
      }
    }
    return Bitmap(found)
  }

  private func chain(of value: Fingerprint) -> Int {
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

/// A value a device, found by the device's number; memory is taken 65536 devices at a time.
struct Pages<Element: Equatable & Sendable>: Sendable {
  private let absent: Element
  private var pages: [[Element]] = []

  init(_ absent: Element) { self.absent = absent }

  subscript(device: UInt32) -> Element {
    get {
      let page = Int(device >> 16)
      guard page < pages.count, !pages[page].isEmpty else { return absent }
      return pages[page][Int(device & 0xffff)]
    }
    set {
      let page = Int(device >> 16)
      if page >= pages.count || pages[page].isEmpty {
        guard newValue != absent else { return }
        while pages.count <= page { pages.append([]) }
        pages[page] = [Element](repeating: absent, count: 65536)
      }
      pages[page][Int(device & 0xffff)] = newValue
    }
  }

  /// Gives every device that has a value.
  func forEach(_ body: (UInt32, Element) -> Void) {
    for (page, values) in pages.enumerated() {
      for (place, value) in values.enumerated() where value != absent {
        body(UInt32(page) << 16 | UInt32(place), value)
      }
    }
  }

  /// The devices whose value holds.
  func devices(where holds: (Element) -> Bool) -> Bitmap {
    var found: [UInt32] = []
    for (page, values) in pages.enumerated() {
      for (place, value) in values.enumerated() where holds(value) {
        found.append(UInt32(page) << 16 | UInt32(place))
      }
    }
    return Bitmap(found)
  }

  var size: Int { pages.reduce(0) { $0 + $1.count } * MemoryLayout<Element>.stride }
}
