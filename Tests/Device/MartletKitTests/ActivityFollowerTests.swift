import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit

/// A system with Live Activities, whose streams have only what happens while somebody listens.
private final class ModelSystem: ActivitySource {
  struct State {
    var startToken: Data?
    var running: [SystemActivity] = []
    var over: Set<String> = []
    var startTokens: AsyncStream<Data>.Continuation?
    var starts: AsyncStream<SystemActivity>.Continuation?
    var tokens: [String: AsyncStream<Data>.Continuation] = [:]
    var ends: [String: AsyncStream<Void>.Continuation] = [:]
  }

  let type = "OrderAttributes"
  let state = Mutex(State())

  var startToken: Data? { state.withLock(\.startToken) }
  var running: [SystemActivity] { state.withLock(\.running) }

  func eachStartToken(_ take: @Sendable (Data) -> Void) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    state.withLock { $0.startTokens = continuation }
    for await token in stream { take(token) }
  }

  func eachStart(_ take: @Sendable (SystemActivity) -> Void) async {
    let (stream, continuation) = AsyncStream.makeStream(of: SystemActivity.self)
    state.withLock { $0.starts = continuation }
    for await activity in stream { take(activity) }
  }

  func eachToken(of id: String, _ take: @Sendable (Data) -> Void) async {
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    state.withLock { $0.tokens[id] = continuation }
    for await token in stream { take(token) }
  }

  func waitForEnd(of id: String) async -> Bool {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    state.withLock { $0.ends[id] = continuation }
    for await _ in stream {}
    return state.withLock { $0.over.contains(id) }
  }

  /// A person or a push starts an activity.
  func begin(_ activity: SystemActivity, isTold: Bool = true) {
    state.withLock { state in
      state.running.append(activity)
      if isTold { state.starts?.yield(activity) }
    }
  }

  func end(_ id: String) {
    state.withLock { state in
      state.running.removeAll { $0.id == id }
      state.over.insert(id)
      state.ends[id]?.finish()
    }
  }

  func follows(_ id: String) -> Bool {
    state.withLock { $0.tokens[id] != nil && $0.ends[id] != nil }
  }
}

@Suite("Following a system's Live Activities", .timeLimit(.minutes(10)))
struct ActivityFollowerTests {
  private func follow(
    _ system: ModelSystem, _ phone: ModelPhone,
    _ body: (PushDevice) async throws -> Void
  ) async throws {
    let push = await phone.started()
    let task = Task {
      await ActivityFollower(source: system, activities: push.liveActivities).run()
    }
    try await until { system.state.withLock { $0.starts != nil && $0.startTokens != nil } }
    try await body(push)
    task.cancel()
    await task.value
  }

  private func tokens(_ phone: ModelPhone) -> [String: String] {
    (phone.device?.activities.tokens ?? [:]).mapValues(\.token)
  }

  // OneSignal/OneSignal-iOS-SDK, issue 1573: the streams had yielded before anybody listened.
  @Test("tokens that were there before are told, and those that follow")
  func before() async throws {
    let (system, phone) = (ModelSystem(), ModelPhone())
    system.state.withLock { $0.startToken = Data([9]) }
    system.begin(SystemActivity(id: "1", activity: "a", token: Data([1])))
    try await follow(system, phone) { push in
      try await until { system.follows("1") }
      await push.synchronize()
      #expect(tokens(phone) == ["a": "01"])
      #expect(phone.device?.activities.startTokens == ["OrderAttributes": "09"])
      system.state.withLock { state in
        state.startTokens?.yield(Data([8]))
        state.tokens["1"]?.yield(Data([2]))
      }
      try await until {
        await push.synchronize()
        return tokens(phone) == ["a": "02"]
          && phone.device?.activities.startTokens == ["OrderAttributes": "08"]
      }
    }
  }

  // kisimediaDE/capacitor-live-activity, issue 13: the token of an activity that a push had started never came.
  @Test("an activity that a push starts is followed, and its end removes its token")
  func started() async throws {
    let (system, phone) = (ModelSystem(), ModelPhone())
    try await follow(system, phone) { push in
      system.begin(SystemActivity(id: "1", activity: "a"))
      try await until { system.follows("1") }
      system.state.withLock { _ = $0.tokens["1"]?.yield(Data([1])) }
      try await until {
        await push.synchronize()
        return tokens(phone) == ["a": "01"]
      }
      // A newer one of the same identifier, and the end of the first.
      system.begin(SystemActivity(id: "2", activity: "a", token: Data([2])))
      try await until {
        await push.synchronize()
        return tokens(phone) == ["a": "02"]
      }
      system.end("1")
      system.begin(SystemActivity(id: "3", activity: "b", token: Data([3])))
      try await until {
        await push.synchronize()
        return tokens(phone) == ["a": "02", "b": "03"]
      }
      try await until { system.follows("2") }
      system.end("2")
      try await until {
        await push.synchronize()
        return tokens(phone) == ["b": "03"]
      }
    }
  }

  @Test("an activity that the stream missed is found with the next one")
  func missed() async throws {
    let (system, phone) = (ModelSystem(), ModelPhone())
    try await follow(system, phone) { push in
      system.begin(SystemActivity(id: "1", activity: "a", token: Data([1])), isTold: false)
      system.begin(SystemActivity(id: "2", activity: "b", token: Data([2])))
      try await until {
        await push.synchronize()
        return tokens(phone) == ["a": "01", "b": "02"]
      }
    }
  }

  @Test("an identifier that the server would not take is a problem of the status")
  func invalid() async throws {
    let (system, phone) = (ModelSystem(), ModelPhone())
    system.begin(SystemActivity(id: "1", activity: "a b", token: Data([1])))
    try await follow(system, phone) { push in
      try await until { push.status.problems.map(\.path) == ["activities.a b"] }
      #expect(await push.synchronize().state == .upToDate)
      #expect(tokens(phone) == [:])
    }
  }

  @Test("what ended while the app did not run is removed, and a canceled follower removes nothing")
  func reconciled() async throws {
    let (system, phone) = (ModelSystem(), ModelPhone())
    let earlier = await phone.started()
    try earlier.liveActivities.setToken(Data([1]), activity: "gone", type: "OrderAttributes")
    try earlier.liveActivities.setToken(Data([1]), activity: "other", type: "Another")
    await earlier.synchronize()
    system.begin(SystemActivity(id: "2", activity: "b", token: Data([2])))
    try await follow(system, phone) { push in
      try await until {
        await push.synchronize()
        return tokens(phone) == ["b": "02", "other": "01"]
      }
      try await until { system.follows("2") }
    }
    let push = await phone.started()
    await push.synchronize()
    #expect(tokens(phone) == ["b": "02", "other": "01"])
  }
}
