import PushModel
import PushPayload
import _Bitmaps

/// The numbers of an audience's devices that a push reaches, and of the others by reason.
package struct AudienceReach: Hashable, Sendable {
  /// The devices that have the app.
  package var targeted = 0
  package var reached = 0
  /// The reached devices to which pushes are delivered quietly (provisional authorization).
  package var quiet = 0
  /// The reached devices whose tokens belong to Apple's development environment.
  package var development = 0
  /// The devices whose users do not allow pushes.
  package var optedOut = 0
  /// The iOS devices that allow pushes but have no push token.
  package var withoutToken = 0
  package var otherPlatform = 0
}

extension ShardedIndex {
  /// Counts the devices of an audience that a push reaches, and the others by reason.
  func reach(passing query: DeviceQuery, at now: Timestamp) -> AudienceReach {
    shards.lazy.map(\.index).reduce(into: AudienceReach()) { reach, index in
      func having(_ field: Filter.BuiltIn, _ value: JSONValue, among devices: Bitmap) -> Bitmap {
        let filter = Filter(field: .builtIn(field), criteria: [.equals(value)])
        return index.devices(passing: [filter], at: now, among: devices)
      }
      let members = index.devices(passing: query, at: now, among: index.installed)
      let reached = members & index.reachable
      let missed = members.subtracting(index.reachable)
      let optedOut = having(.pushEnabled, false, among: missed)
      let others = missed.subtracting(optedOut)
      let withoutToken = having(.platform, "iOS", among: others)
      reach.targeted += members.count
      reach.reached += reached.count
      reach.quiet += having(.pushQuiet, true, among: reached).count
      reach.development += having(.development, true, among: reached).count
      reach.optedOut += optedOut.count
      reach.withoutToken += withoutToken.count
      reach.otherPlatform += others.count - withoutToken.count
    }
  }
}
