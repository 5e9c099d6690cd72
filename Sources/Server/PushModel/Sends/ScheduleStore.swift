/// The times at which an app's notifications and campaigns go out.
package protocol ScheduleStore: Sendable {
  /// The notifications with a time in a span, in the order of their times.
  ///
  /// Those of campaigns are not included, since ``runs(app:plannedIn:limit:)`` has their runs. An in-app message that is
  /// published later has a notification with its time.
  func sends(
    app: String, scheduledIn span: Range<Timestamp>, limit: Int
  ) async throws(StoreError) -> [Send]
  /// The runs of campaigns that are planned in a span, in the order of their times, in any state.
  func runs(
    app: String, plannedIn span: Range<Timestamp>, limit: Int
  ) async throws(StoreError) -> [CampaignRun]
  /// The runs in some states, the one that was planned last first.
  func runs(
    app: String, in states: [RunLifecycle.State], limit: Int
  ) async throws(StoreError) -> [CampaignRun]
}
