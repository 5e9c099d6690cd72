package import Foundation

/// The reloads of an app's widgets and controls by pushes, as a value.
///
/// The caller brings the time, which never goes back.
package struct PhoneReloads: Sendable {
  private static let day: TimeInterval = 86_400

  private let budget: Int?
  /// The times of the reloads of the last day, by the push type.
  private var reloads: [String: [Date]] = [:]

  package init(behavior: HostBehavior) { budget = behavior.reloadBudget }

  /// Reloads the app's widgets or controls, as the push type says.
  ///
  /// - Returns: Whether the budget allows it.
  package mutating func reload(_ type: String, at now: Date) -> Bool {
    guard let budget else { return true }
    var times = reloads[type, default: []]
    times.removeAll { $0.addingTimeInterval(Self.day) <= now }
    defer { reloads[type] = times }
    guard times.count < budget else { return false }
    times.append(now)
    return true
  }
}
