import Synchronization

/// Turns of those who change kept activities on this node: one at a time for each activity.
///
/// A change that another one overtakes is made anew, so that of many at once most would be made in vain. Between nodes the
/// version of the activity decides.
final class ActivityTurns: Sendable {
  private struct Activity: Hashable {
    var app: String
    var id: String
  }

  /// Those who wait, by the activities that are being changed.
  private let waiting = Mutex<[Activity: [CheckedContinuation<Void, Never>]]>([:])

  /// Runs a body while no other one runs for the activity; `isFirst` lets it pass those who wait.
  func run<Value>(
    _ id: String, app: String, isFirst: Bool = false, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let activity = Activity(app: app, id: id)
    await begin(activity, isFirst: isFirst)
    defer { end(activity) }
    return try await body()
  }

  private func begin(_ activity: Activity, isFirst: Bool) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let isFree = waiting.withLock { waiting in
        guard waiting[activity] != nil else {
          waiting[activity] = []
          return true
        }
        if isFirst {
          waiting[activity]?.insert(continuation, at: 0)
        } else {
          waiting[activity]?.append(continuation)
        }
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  private func end(_ activity: Activity) {
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      guard waiting[activity]?.isEmpty == false else {
        waiting[activity] = nil
        return nil
      }
      return waiting[activity]?.removeFirst()
    }
    next?.resume()
  }
}
