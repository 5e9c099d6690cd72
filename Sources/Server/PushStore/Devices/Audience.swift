/// The devices that match every filter of a list, at least one of some parts, and none of others.
package struct Audience: Hashable, Sendable {
  /// A set of devices that an audience includes or leaves out.
  package enum Part: Hashable, Sendable {
    /// The devices that match every filter.
    case filters([Filter])
    /// The devices of another audience of the app, as it is when devices are selected.
    case audience(String)
    /// The devices for which APNs has accepted a send.
    ///
    /// `opened` keeps those that opened it, or those that did not; `nil` keeps both.
    case received(send: String, opened: Bool?)
  }

  package var id: String
  package var app: String
  /// `nil` for an audience that was made for one send.
  package var name: String?
  /// Whether the audience is for tests.
  package var isTest = false
  /// The filters, all of which match; none selects every device.
  package var filters: [Filter]
  /// The parts of which a device is in at least one; none is no condition.
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

  /// Whether the audience has no condition, so that devices that register later are in it too.
  package var isEveryone: Bool { filters.isEmpty && any.isEmpty && except.isEmpty }
}
