/// The devices that match every one of some filters.
package struct Audience: Hashable, Sendable {
  package var id: String
  package var app: String
  /// `nil` for an audience that was made for one send.
  package var name: String?
  /// Whether the audience is for tests.
  package var isTest = false
  /// The filters; none selects every device.
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
