/// The devices that match every filter, are in at least one of the parts of ``any``, and are in no part of
/// ``except``.
package struct Audience: Hashable, Sendable {
  /// A set of devices that an audience includes or leaves out.
  package enum Part: Hashable, Sendable {
    /// The devices that match every filter.
    case filters([Filter])
    /// The devices of another audience of the app, at the time when devices are selected.
    case audience(String)
    /// The devices for which APNs has accepted a send.
    ///
    /// `opened` keeps only the devices that opened it, or only those that did not; `nil` keeps both.
    case received(send: String, opened: Bool?)
  }

  package var id: String
  package var app: String
  /// The name; `nil` if the audience was made for one send.
  package var name: String?
  /// Whether the audience is for tests.
  package var isTest = false
  /// The filters, all of which must match; an empty array matches every device.
  package var filters: [Filter]
  /// The parts, of which a device must be in at least one; an empty array is no condition.
  package var any: [Part] = []
  /// The parts whose devices are left out.
  package var except: [Part] = []
  package var createdAt: Timestamp
  package var updatedAt: Timestamp

  package init(id: String, app: String, filters: [Filter], createdAt: Timestamp) {
    self.id = id
    self.app = app
    self.filters = filters
    self.createdAt = createdAt
    updatedAt = createdAt
  }

  /// Whether the audience has no conditions, so that it includes devices that register later.
  package var isEveryone: Bool { filters.isEmpty && any.isEmpty && except.isEmpty }
}
