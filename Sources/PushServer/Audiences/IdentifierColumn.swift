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

/// A field of which nearly every device has another value, an id or an address: it is read through.
struct IdentifierColumn: Sendable {
  private var values = Pages(Fingerprint.none)

  subscript(device: UInt32) -> Fingerprint {
    get { values[device] }
    set { values[device] = newValue }
  }

  func devices(with texts: some Sequence<String>) -> Bitmap {
    let wanted = Set(texts.map { Fingerprint($0) })
    // Most devices are told apart by sixteen bits already.
    var sieve = [Bool](repeating: false, count: 65536)
    for value in wanted { sieve[Int(value.bits & 0xffff)] = true }
    return values.devices { sieve[Int($0.bits & 0xffff)] && wanted.contains($0) }
  }

  var size: Int { values.size }
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
