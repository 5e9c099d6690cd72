import _Bitmaps

/// An array of one value for each device, by the device's number, in pages of 65,536 devices.
///
/// A page whose devices have no values takes no memory.
struct PagedArray<Element: Equatable & Sendable>: Sendable {
  static var pageSize: Int { 65_536 }

  private let absent: Element
  /// The pages in the order of their devices; a page without values is empty.
  private(set) var pages: [[Element]] = []

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
        pages[page] = [Element](repeating: absent, count: Self.pageSize)
      }
      pages[page][Int(device & 0xffff)] = newValue
    }
  }

  /// Returns the devices whose value meets a condition.
  func devices(where holds: (Element) -> Bool) -> Bitmap {
    var found: [UInt32] = []
    for (page, values) in pages.enumerated() {
      for (index, value) in values.enumerated() where holds(value) {
        found.append(UInt32(page) << 16 | UInt32(index))
      }
    }
    return Bitmap(found)
  }

  /// Sets the values of all devices of a page.
  mutating func setPage(_ page: Int, to values: [Element]) {
    precondition(values.count == Self.pageSize, "a page has \(Self.pageSize) values")
    while pages.count <= page { pages.append([]) }
    pages[page] = values
  }
}
