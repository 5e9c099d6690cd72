/// The location that a device reported.
package struct Location: Hashable, Sendable {
  package var latitude: Double?
  package var longitude: Double?
  package var country: String?
  package var city: String?

  package init() {}
}
