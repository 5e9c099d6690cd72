import Dispatch
import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletKit
@testable @_spi(Host) import UserNotifications

@Suite("The delegate of the notification center", .timeLimit(.minutes(10)))
struct DelegateTests {
  /// A delegate of another library.
  private final class Peer: NSObject, UNUserNotificationCenterDelegate {
    enum Manner: CaseIterable, Sendable { case answers, answersTwice, swallows, answersLate }

    let manner: Manner
    let options: UNNotificationPresentationOptions
    var calls: [String] = []
    var late: (() -> Void)?

    init(_ manner: Manner, _ options: UNNotificationPresentationOptions = []) {
      self.manner = manner
      self.options = options
    }

    private func answer(_ handler: @escaping () -> Void) {
      switch manner {
      case .answers: handler()
      case .answersTwice:
        handler()
        handler()
      case .swallows: break
      case .answersLate: late = handler
      }
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
      withCompletionHandler completionHandler:
        @escaping (UNNotificationPresentationOptions) -> Void
    ) {
      calls.append("present")
      answer { completionHandler(self.options) }
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
      withCompletionHandler completionHandler: @escaping () -> Void
    ) {
      calls.append("receive")
      answer(completionHandler)
    }

    func userNotificationCenter(
      _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) { calls.append("settings") }
  }

  private static let center = UNUserNotificationCenter()

  private static func notification(_ userInfo: [AnyHashable: Any] = ["_nid": "n"]) -> UNNotification
  {
    let content = UNMutableNotificationContent()
    content.userInfo = userInfo
    let request = UNNotificationRequest(identifier: "r", content: content, trigger: nil)
    return UNNotification(request: request, date: Date())
  }

  private static func response(
    _ action: String = UNNotificationDefaultActionIdentifier,
    to notification: UNNotification = notification()
  ) -> UNNotificationResponse {
    UNNotificationResponse(notification: notification, actionIdentifier: action)
  }

  /// Lets the main queue call what is in it, as the completion handlers of the system.
  private static func callMainQueue() async { await MainActor.run {} }

  /// Calls the delegate, and counts the answers to the system.
  private static func respond(_ delegate: PushDelegate) -> Locked<Int> {
    let count = Locked(0)
    delegate.userNotificationCenter(center, didReceive: response()) { count.withLock { $0 += 1 } }
    return count
  }

  @Test("without other delegates the system is answered once, after the tap is stored")
  func alone() async {
    let phone = ModelPhone()
    let push = await phone.started()
    let stored = Locked(0)
    PushDelegate(push).userNotificationCenter(Self.center, didReceive: Self.response()) {
      stored.withLock { $0 += phone.disk.facts("Openings").count }
    }
    await Self.callMainQueue()
    #expect(stored.withLock(\.self) == 1)
  }

  @Test("the delegate that a device installs stays, though the notification center holds it weakly")
  func installed() async {
    let phone = ModelPhone()
    let push = await phone.started()
    let peer = Peer(.answers)
    push.installDelegate(next: [peer])
    let center = UNUserNotificationCenter.current()
    await withCheckedContinuation { answered in
      center.delegate?.userNotificationCenter(center, didReceive: Self.response()) {
        answered.resume()
      }
    }
    #expect(phone.disk.facts("Openings").count == 1 && peer.calls == ["receive"])
    center.delegate = nil
  }

  @Test(
    "the system is answered once, however two other delegates behave",
    arguments: Peer.Manner.allCases, Peer.Manner.allCases)
  private func peers(first: Peer.Manner, second: Peer.Manner) async throws {
    let phone = ModelPhone()
    let clock = SleepingClock()
    let push = phone.launch(sleep: { try await clock.sleep($0) }).push
    let peers = [Peer(first), Peer(second)]
    let delegate = PushDelegate(push, next: peers)
    let count = Self.respond(delegate)
    #expect(peers.map(\.calls) == [["receive"], ["receive"]])
    let waits = [first, second].contains { $0 == .swallows || $0 == .answersLate }
    await Self.callMainQueue()
    #expect(count.withLock(\.self) == (waits ? 0 : 1))
    for peer in peers { peer.late?() }
    await Self.callMainQueue()
    let swallows = first == .swallows || second == .swallows
    #expect(count.withLock(\.self) == (swallows ? 0 : 1))
    if waits {
      try await until { clock.sleeping == [PushDelegate.patience] }
      clock.wake()
      try await until { count.withLock(\.self) == 1 }
    }
    for peer in peers { peer.late?() }
    await Self.callMainQueue()
    #expect(count.withLock(\.self) == 1)
  }

  @Test(
    "a notification in the foreground is shown as all others want together, or whole if there are none",
    arguments: [
      ([], true, true, [.badge, .sound, .list, .banner]), ([], false, true, []),
      ([], true, false, []), ([.banner], true, true, [.banner]),
      ([.banner, .sound], false, true, [.banner, .sound]),
    ] as [([UNNotificationPresentationOptions], Bool, Bool, UNNotificationPresentationOptions)])
  func presenting(
    peers: [UNNotificationPresentationOptions], isOwn: Bool, isShown: Bool,
    options: UNNotificationPresentationOptions
  ) async {
    let phone = ModelPhone()
    let push = phone.launch(edit: { $0.showsPushesInForeground = isShown }).push
    await push.start()
    let delegate = PushDelegate(push, next: peers.map { Peer(.answers, $0) })
    let answers = Locked<[UInt]>([])
    let notification = Self.notification(isOwn ? ["_nid": "n"] : ["other": 1])
    delegate.userNotificationCenter(Self.center, willPresent: notification) { options in
      answers.withLock { $0.append(options.rawValue) }
    }
    await Self.callMainQueue()
    #expect(answers.withLock(\.self) == [options.rawValue])
    #expect(phone.disk.facts("Receipts").count == (isOwn ? 1 : 0))
  }

  @Test("two devices as delegates of each other's kind tell each tap once")
  func chained() async {
    let (first, second) = (ModelPhone(seed: 1), ModelPhone(seed: 2))
    let (push, other) = (await first.started(), await second.started())
    let delegate = PushDelegate(push, next: [PushDelegate(other)])
    let count = Self.respond(delegate)
    // The second device answers the first, which then answers the system.
    for _ in 0..<2 { await Self.callMainQueue() }
    #expect(count.withLock(\.self) == 1)
    #expect(first.disk.facts("Openings").count == 1 && second.disk.facts("Openings").count == 1)
  }

  @Test("a tap that another delegate reports too counts once")
  func reportedTwice() async {
    let phone = ModelPhone()
    let push = await phone.started()
    push.recordOpening(Self.response())
    _ = Self.respond(PushDelegate(push))
    #expect(phone.disk.facts("Openings").count == 1 && phone.disk.facts("Receipts").count == 1)
  }

  @Test("Settings is passed on to all")
  func settings() {
    let peers = [Peer(.answers), Peer(.swallows)]
    PushDelegate(ModelPhone().launch().push, next: peers).userNotificationCenter(
      Self.center, openSettingsFor: nil)
    #expect(peers.map(\.calls) == [["settings"], ["settings"]])
  }

  @Test("a response's action, text and payload are those of the tap")
  func responses() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let notification = Self.notification(["_nid": "n", "deep": ["a": 1, "b": true, "c": [1.5]]])
    let reply = UNTextInputNotificationResponse(
      notification: notification, actionIdentifier: "reply", userText: "Hi")
    let opening = try #require(push.recordOpening(reply))
    #expect(opening.action == "reply" && opening.text == "Hi")
    #expect(opening.payload == ["_nid": "n", "deep": ["a": 1, "b": true, "c": [1.5]]])
    #expect(push.recordOpening(Self.response(UNNotificationDismissActionIdentifier)) == nil)
    // Values that no payload has, such as those that another library's extension has added.
    let odd = Self.notification([
      "_nid": "x", "d": Date(), "e": ["f": Data(), "g": 2], "h": Double.nan,
    ])
    let kept: JSONValue = ["_nid": "x", "d": .null, "e": ["f": .null, "g": 2]]
    var payload = try #require(push.recordOpening(Self.response(to: odd))).payload.object
    #expect(payload?.removeValue(forKey: "h") != nil && payload == kept.object)
  }

  @Test("the system is answered on the main queue, whichever thread another delegate answers on")
  func mainQueue() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let peer = Peer(.answersLate, [.banner])
    let delegate = PushDelegate(push, next: [peer])
    let areMain = Locked<[Bool]>([])
    let note: @Sendable () -> Void = {
      let isMain = DispatchQueue.getSpecific(key: key) == true
      areMain.withLock { $0.append(isMain) }
    }
    delegate.userNotificationCenter(Self.center, willPresent: Self.notification()) { _ in note() }
    peer.late?()
    delegate.userNotificationCenter(Self.center, didReceive: Self.response()) { note() }
    peer.late?()
    try await until { areMain.withLock(\.count) == 2 }
    #expect(areMain.withLock(\.self) == [true, true])
  }
}

@Suite("The permission and the badge")
struct PermissionTests {
  @Test(
    "the server is told whether pushes are shown, and how",
    arguments: [
      (UNAuthorizationStatus.notDetermined, [.alert], true, true, false),
      (.notDetermined, [.alert, .sound], false, false, false),
      (.notDetermined, [.provisional], true, true, true),
    ] as [(UNAuthorizationStatus, UNAuthorizationOptions, Bool, Bool, Bool)])
  func request(
    before: UNAuthorizationStatus, options: UNAuthorizationOptions, grants: Bool, isEnabled: Bool,
    isQuiet: Bool
  ) async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    var world = UNWorld()
    world.center = UNUserNotificationCenter(authorization: before, grantsAuthorization: grants)
    let isAllowed = try await world.run { try await push.requestPermission(options) }
    #expect(isAllowed == isEnabled)
    await push.synchronize()
    #expect(phone.device?.members["push_enabled"] == .bool(isEnabled))
    #expect(phone.device?.members["push_quiet"] == .bool(isQuiet))
  }

  @Test("a change in Settings is told when the app looks")
  func refresh() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    for (status, isEnabled) in [
      (UNAuthorizationStatus.authorized, true), (.denied, false), (.notDetermined, false),
    ] {
      var world = UNWorld()
      world.center = UNUserNotificationCenter(authorization: status)
      await world.run { await push.refreshPermission() }
      await push.synchronize()
      #expect(phone.device?.members["push_enabled"] == .bool(isEnabled))
    }
  }

  @Test("the app's settings are told with the permission, unless the app turns it off")
  func settings() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    var world = UNWorld()
    world.center = UNUserNotificationCenter(authorization: .denied)
    await world.run { await push.refreshPermission() }
    await push.synchronize()
    let told = phone.device?.members["notification_settings"]
    #expect(
      told?["authorization"] == "denied" && told?["alerts"] == false, "\(String(describing: told))")
    #expect(told?["lock_screen"] == false && told?["notification_center"] == false)
    push.reportSettings([:])
    await push.synchronize()
    #expect(phone.device?.members["notification_settings"] ?? .null == .null)
  }

  @Test("the badge is set, told to the server, and stored for the extension")
  func badge() async throws {
    let phone = ModelPhone()
    let push = await phone.started()
    var world = UNWorld()
    let center = UNUserNotificationCenter()
    world.center = center
    try await world.run { try await push.setBadge(7) }
    #expect(center.badgeCount == 7)
    await push.synchronize()
    #expect(phone.device?.members["badge"] == 7)
    #expect(phone.disk.files["badge"] == Data("0000000000000000007".utf8))
    push.reportBadge(-1)
    await push.synchronize()
    #expect(phone.device?.members["badge"] == 0)
    await #expect(throws: (any Error).self) {
      try await world.run { try await push.setBadge(-1) }
    }
  }
}
