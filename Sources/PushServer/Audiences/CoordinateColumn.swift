import PushStore
import _Bitmaps

/// The coordinates of devices.
struct CoordinateColumn: Sendable {
  private var coordinates = PagedArray(Coordinate.unknown)

  subscript(device: UInt32) -> Coordinate {
    get { coordinates[device] }
    set { coordinates[device] = newValue }
  }

  /// Returns the devices that are in at least one of the circles.
  func devices(within circles: [Filter.Circle]) -> Bitmap {
    coordinates.devices { coordinate in
      coordinate != .unknown && circles.contains { coordinate.isWithin($0) }
    }
  }

  var size: Int { coordinates.size }
}
