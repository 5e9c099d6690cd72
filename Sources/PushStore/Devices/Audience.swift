/// Whom a send is for: the devices that every filter lets through.
package struct Audience: Hashable, Sendable {
  package var id: String
  package var app: String
  /// `nil` for one that a send made on the fly.
  package var name: String?
  /// Whether it is for trying things out.
  package var isTest = false
  /// No filter means every device.
  package var filters: [Filter]
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(id: String, app: String, filters: [Filter], createdAt: Timestamp) {
    self.id = id
    self.app = app
    self.filters = filters
    self.createdAt = createdAt
    updatedAt = createdAt
  }
}
