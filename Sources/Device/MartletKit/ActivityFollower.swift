import Foundation
import PushPayload

/// The system's view of the Live Activities of one type of attributes.
///
/// The functions that take a closure call it with each new value, and return after the last one.
protocol ActivitySource: Sendable {
  /// The name of the type.
  var type: String { get }
  /// The token that starts activities, if the system has given one.
  var startToken: Data? { get }
  /// The activities that have not ended.
  var running: [SystemActivity] { get }
  func eachStartToken(_ take: @Sendable (Data) -> Void) async
  /// Calls the closure with each activity that begins.
  func eachStart(_ take: @Sendable (SystemActivity) -> Void) async
  func eachToken(of id: String, _ take: @Sendable (Data) -> Void) async
  /// Returns `true` when an activity has ended, and `false` if that is not known.
  func waitForEnd(of id: String) async -> Bool
}

/// A Live Activity that runs.
struct SystemActivity: Hashable, Sendable {
  /// The system's identifier.
  var id: String
  /// The server's identifier.
  var activity: String
  /// The token, if the system has given one.
  var token: Data?
}

/// Reports the tokens of the Live Activities of one type to the server, as long as its task runs.
///
/// The system's streams may have sent values before anybody listened, so the present values are read as well.
struct ActivityFollower<Source: ActivitySource>: Sendable {
  let source: Source
  let activities: LiveActivities

  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await followStartToken() }
      group.addTask { await followActivities() }
    }
  }

  private func followStartToken() async {
    let tell: @Sendable (Data) -> Void = { token in
      note(source.type) { try activities.setStartToken(token, type: source.type) }
    }
    if let token = source.startToken { tell(token) }
    await source.eachStartToken(tell)
  }

  private func followActivities() async {
    activities.setRunning(Set(source.running.map(\.activity)), type: source.type)
    let (starts, continuation) = AsyncStream.makeStream(of: SystemActivity?.self)
    // `nil` reads the activities that run already.
    continuation.yield(nil)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await source.eachStart { continuation.yield($0) }
        continuation.finish()
      }
      var followed: Set<String> = []
      for await start in starts {
        for activity in source.running + (start.map { [$0] } ?? [])
        where followed.insert(activity.id).inserted {
          group.addTask { await follow(activity) }
        }
      }
    }
  }

  /// Reports the tokens of one activity until it has ended.
  private func follow(_ activity: SystemActivity) async {
    let last = Locked<Data?>(nil)
    let tell: @Sendable (Data) -> Void = { token in
      last.withLock { $0 = token }
      note(activity.activity) {
        try activities.setToken(token, activity: activity.activity, type: source.type)
      }
    }
    if let token = activity.token { tell(token) }
    let isOver = await withTaskGroup(of: Bool?.self) { group in
      group.addTask { await source.waitForEnd(of: activity.id) }
      group.addTask {
        await source.eachToken(of: activity.id, tell)
        return nil
      }
      // The stream of tokens may end before the activity does.
      for await isOver in group {
        guard let isOver else { continue }
        group.cancelAll()
        return isOver
      }
      return false
    }
    if isOver, let token = last.withLock(\.self) {
      activities.recordEnd(of: activity.activity, token: token)
    }
  }

  /// Adds a problem to the status for a value that the server would not accept, such as a type with parameters.
  private func note(_ subject: String, _ tell: () throws -> Void) {
    do {
      try tell()
    } catch {
      let problem = PushStatus.Problem(path: "activities.\(subject)", reason: "\(error)")
      activities.push.board.note(problem)
    }
  }
}
