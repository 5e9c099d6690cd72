/// A broadcast channel that was created at Apple: one push reaches every activity that follows it.
package struct Channel: Hashable, Sendable {
  /// The pushes of a channel that APNs keeps for offline phones.
  package enum Storage: String, CaseIterable, Sendable {
    /// No push. Such a channel has a larger budget of pushes.
    case none
    /// The most recent push.
    case mostRecent = "most_recent"
  }

  /// The id that APNs assigned, in base64.
  package var id: String
  package var app: String
  package var storage: Storage
  /// Whether the channel belongs to Apple's development environment.
  package var isDevelopment: Bool
  package var createdAt: Timestamp

  package init(
    id: String, app: String, storage: Storage, isDevelopment: Bool, createdAt: Timestamp
  ) {
    self.id = id
    self.app = app
    self.storage = storage
    self.isDevelopment = isDevelopment
    self.createdAt = createdAt
  }
}
