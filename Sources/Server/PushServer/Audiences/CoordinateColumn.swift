import PushModel
import _Bitmaps

/// The coordinates of devices.
struct CoordinateColumn: Sendable {
  private var coordinates = PagedArray(Coordinate.unknown)

  init() {}

  subscript(device: UInt32) -> Coordinate {
    get { coordinates[device] }
    set { coordinates[device] = newValue }
  }

  /// The devices whose coordinates are known.
  var present: Bitmap { coordinates.devices { $0 != .unknown } }

  /// Returns the devices that are in at least one of the circles.
  func devices(within circles: [Filter.Circle]) -> Bitmap {
    coordinates.devices { coordinate in
      coordinate != .unknown && circles.contains { coordinate.isWithin($0) }
    }
  }
}

extension CoordinateColumn {
  func encode(into snapshot: inout SnapshotWriter) throws {
    let pages = coordinates.pages.indices.filter { !coordinates.pages[$0].isEmpty }
    snapshot.add(count: pages.count)
    for page in pages {
      snapshot.add(count: page)
      try snapshot.add(
        section: coordinates.pages[page].flatMap { coordinate in
          (0..<8).map { UInt8(truncatingIfNeeded: coordinate.bits >> ($0 * 8)) }
        })
    }
  }

  init(from snapshot: inout SnapshotReader) throws(SnapshotError) {
    for _ in 0..<(try snapshot.count()) {
      let page = try snapshot.number()
      let words = try snapshot.words()
      guard page <= UInt64(UInt16.max), words.count == PagedArray<Coordinate>.pageSize else {
        throw SnapshotError("a page of coordinates has another size")
      }
      coordinates.setPage(Int(page), to: words.map { Coordinate(bits: $0) })
    }
  }
}
