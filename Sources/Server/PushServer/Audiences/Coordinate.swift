import Foundation
import PushModel

/// A device's latitude and longitude, in ten-millionths of a degree (about a centimetre).
struct Coordinate: Equatable, Sendable {
  private var latitude: Int32
  private var longitude: Int32

  /// The coordinate of a device without a known location.
  static let unknown = Coordinate(latitude: .min, longitude: .min)

  private static let scale = 1e7
  /// The mean radius of the Earth in metres (IUGG).
  private static let earthRadius = 6_371_008.8

  private init(latitude: Int32, longitude: Int32) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The latitude and the longitude as one number, for a snapshot.
  var bits: UInt64 {
    UInt64(UInt32(bitPattern: latitude)) << 32 | UInt64(UInt32(bitPattern: longitude))
  }

  init(bits: UInt64) {
    latitude = Int32(bitPattern: UInt32(bits >> 32))
    longitude = Int32(truncatingIfNeeded: bits)
  }

  /// Returns `nil` if a location is incomplete or not on the Earth.
  init?(_ location: Location) {
    guard let latitude = location.latitude, let longitude = location.longitude,
      (-90...90).contains(latitude), (-180...180).contains(longitude)
    else { return nil }
    self.latitude = Int32((latitude * Self.scale).rounded())
    self.longitude = Int32((longitude * Self.scale).rounded())
  }

  /// Returns whether the great-circle distance to a circle's centre is at most its radius.
  ///
  /// The distance is computed by the haversine formula, on a sphere.
  func isWithin(_ circle: Filter.Circle) -> Bool {
    guard self != .unknown else { return false }
    let (north, east) = (Double(latitude) / Self.scale, Double(longitude) / Self.scale)
    // A latitude that differs by more than the radius is outside at any longitude.
    let reach = circle.radius / Self.earthRadius
    let rise = (north - circle.latitude) * .pi / 180
    guard abs(rise) <= reach else { return false }
    let turn = (east - circle.longitude) * .pi / 180
    let half =
      pow(sin(rise / 2), 2)
      + cos(north * .pi / 180) * cos(circle.latitude * .pi / 180) * pow(sin(turn / 2), 2)
    return 2 * asin(min(1, half.squareRoot())) <= reach
  }
}
