import APNs
import PushModel
import Testing

@testable import PushServer

@Suite("Pushes of reloads to both of Apple's hosts")
struct ReloadSenderTests {
  private struct Failure: Error {}

  /// A sender that can send nothing to some hosts; the others know the token `aa` alone.
  private struct Hosts: PushSender {
    var failing: Set<Bool>

    func send(
      _ pushes: [APNsNotification], of sendClass: SendClass, for app: App, development: Bool
    ) async throws -> [APNsOutcome] {
      if failing.contains(development) { throw Failure() }
      return pushes.map { push in
        push.deviceToken == "aa"
          ? APNsOutcome(kind: .answered, status: 200, apnsID: push.id)
          : APNsOutcome(kind: .answered, status: 400, reason: .badDeviceToken, apnsID: push.id)
      }
    }

    func close() async {}
  }

  private func outcomes(
    _ targets: [ReloadTarget], failing: Set<Bool>
  ) async throws -> [ReloadOutcome] {
    try await ReloadSender(
      sender: Hosts(failing: failing), app: Fixture().app, type: .widgets
    ).send(targets)
  }

  private func target(
    _ token: String, isDevelopment: Bool = false, isHeld: Bool = false
  ) -> ReloadTarget {
    ReloadTarget(
      device: 1, deviceID: "phone", isDevelopment: isDevelopment, token: token, isHeld: isHeld)
  }

  @Test("what one host has taken counts if nothing can be sent to the other")
  func oneHost() async throws {
    let outcomes = try await outcomes(
      [target("aa"), target("bb", isDevelopment: true), target("cc", isHeld: true)],
      failing: [true])
    #expect(outcomes.map(\.result) == [.sent, .failed, .held])
    #expect(outcomes.map(\.reason) == [nil, "Unreachable", "ReloadBudget"])
  }

  @Test("a token that one host does not know stays if the other cannot be asked")
  func unknown() async throws {
    let alone = try await outcomes([target("bb"), target("aa")], failing: [true])
    #expect(alone.map(\.result) == [.failed, .sent])
    #expect(alone.map(\.reason) == ["BadDeviceToken", nil])
    #expect(try await outcomes([target("bb")], failing: []).map(\.result) == [.gone])
  }

  @Test("if no push can be sent at all, the error is the caller's")
  func none() async throws {
    await #expect(throws: Failure.self) {
      try await outcomes(
        [target("aa"), target("bb", isDevelopment: true)], failing: [true, false])
    }
    // Without a push there is nothing to fail.
    #expect(try await outcomes([target("aa", isHeld: true)], failing: [true, false]).count == 1)
  }
}
