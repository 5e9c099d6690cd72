import AppFixture
import Foundation
import Testing
@_spi(Host) import UserNotifications

@Suite("UNUserNotificationCenter")
struct CenterTests {
  private func request(
    _ identifier: String, _ trigger: UNNotificationTrigger? = nil, title: String = "Hello"
  ) -> UNNotificationRequest {
    let content = UNMutableNotificationContent()
    content.title = title
    return UNNotificationRequest(identifier: identifier, content: content, trigger: trigger)
  }

  private var later: UNNotificationTrigger {
    UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: false)
  }

  @Test(
    "authorization follows the person's decision, which is requested once",
    arguments: [
      (.notDetermined, [.alert], true, .authorized), (.notDetermined, [.alert], false, .denied),
      (.notDetermined, [.alert, .provisional], false, .provisional),
      (.provisional, [.alert], false, .denied), (.provisional, [.provisional], false, .provisional),
      (.denied, [.alert], true, .denied), (.authorized, [.alert], false, .authorized),
      (.ephemeral, [.alert], false, .ephemeral),
    ] as [(UNAuthorizationStatus, UNAuthorizationOptions, Bool, UNAuthorizationStatus)])
  func authorization(
    before: UNAuthorizationStatus, options: UNAuthorizationOptions, grants: Bool,
    after: UNAuthorizationStatus
  ) async throws {
    let center = UNUserNotificationCenter(authorization: before, grantsAuthorization: grants)
    #expect(try await center.requestAuthorization(options: options) == (after != .denied))
    #expect(await center.notificationSettings().authorizationStatus == after)
  }

  @Test(
    "settings follow the authorization and the requested options",
    arguments: [
      (.notDetermined, .notSupported, .notSupported), (.denied, .disabled, .disabled),
      (.authorized, .enabled, .enabled), (.provisional, .disabled, .enabled),
      (.ephemeral, .enabled, .enabled),
    ] as [(UNAuthorizationStatus, UNNotificationSetting, UNNotificationSetting)])
  func settings(
    status: UNAuthorizationStatus, requested: UNNotificationSetting, list: UNNotificationSetting
  ) {
    let settings = UNNotificationSettings(
      authorizationStatus: status, options: [.alert, .sound, .providesAppNotificationSettings])
    #expect(settings.alertSetting == requested && settings.soundSetting == requested)
    #expect(settings.lockScreenSetting == requested && settings.notificationCenterSetting == list)
    #expect(settings.alertStyle == (requested == .enabled ? .banner : .none))
    for setting in [
      settings.badgeSetting, settings.carPlaySetting, settings.criticalAlertSetting,
      settings.announcementSetting, settings.timeSensitiveSetting, settings.directMessagesSetting,
    ] { #expect(setting == .notSupported) }
    #expect(settings.providesAppNotificationSettings)
  }

  @Test(
    "without authorization a request is refused with 1",
    arguments: [
      (.notDetermined, false), (.denied, false), (.authorized, true), (.provisional, true),
      (.ephemeral, true),
    ] as [(UNAuthorizationStatus, Bool)])
  func permission(_ status: UNAuthorizationStatus, isAllowed: Bool) async {
    let center = UNUserNotificationCenter(authorization: status)
    do {
      try await center.add(request("a"))
      #expect(isAllowed)
    } catch { #expect(!isAllowed && UNError.notificationsNotAllowed ~= error) }
  }

  @Test("a request without content is refused with 1401, and one whose date never comes with 1400")
  func refusals() async {
    let center = UNUserNotificationCenter()
    await #expect { try await center.add(request("a", title: "")) } throws: {
      UNError.notificationInvalidNoContent ~= $0
    }
    let past = UNCalendarNotificationTrigger(
      dateMatching: DateComponents(year: 2001, month: 1, day: 1), repeats: false)
    await #expect { try await center.add(request("a", past)) } throws: {
      UNError.notificationInvalidNoDate ~= $0
    }
    await #expect { try await center.setBadgeCount(-1) } throws: { UNError.badgeInputInvalid ~= $0 }
    #expect(await center.pendingNotificationRequests().isEmpty && center.badgeCount == 0)
  }

  @Test("a request is pending until its trigger fires; one without a trigger is delivered at once")
  func waiting() async throws {
    let center = UNUserNotificationCenter()
    try await center.add(request("now"))
    try await center.add(request("later", later))
    #expect(await center.pendingNotificationRequests().map(\.identifier) == ["later"])
    #expect(await center.deliveredNotifications().map(\.request.identifier) == ["now"])
    center.fire("later", at: Date(timeIntervalSince1970: 1))
    #expect(await center.pendingNotificationRequests().isEmpty)
    let shown = await center.deliveredNotifications()
    #expect(shown.map(\.request.identifier) == ["now", "later"])
    #expect(shown.last?.date == Date(timeIntervalSince1970: 1))
  }

  @Test("a repeating request stays pending after it fired")
  func repeating() async throws {
    let center = UNUserNotificationCenter()
    let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 60, repeats: true)
    try await center.add(request("a", trigger))
    for _ in 0..<2 { center.fire("a", at: Date()) }
    #expect(await center.pendingNotificationRequests().count == 1)
    #expect(await center.deliveredNotifications().count == 1)
  }

  @Test("a second request with the same identifier replaces the first, pending and delivered")
  func replacing() async throws {
    let center = UNUserNotificationCenter()
    for title in ["one", "two"] {
      try await center.add(request("later", later, title: title))
      try await center.add(request("now", title: title))
    }
    #expect(await center.pendingNotificationRequests().map(\.content.title) == ["two"])
    #expect(await center.deliveredNotifications().map(\.request.content.title) == ["two"])
  }

  @Test("requests and notifications are removed by identifier, and all at once")
  func removing() async throws {
    let center = UNUserNotificationCenter()
    for name in ["a", "b", "c"] {
      try await center.add(request(name, later))
      center.deliver(request(name, UNPushNotificationTrigger()), at: Date())
    }
    center.removePendingNotificationRequests(withIdentifiers: ["a", "x"])
    center.removeDeliveredNotifications(withIdentifiers: ["b"])
    #expect(await center.pendingNotificationRequests().map(\.identifier) == ["b", "c"])
    #expect(await center.deliveredNotifications().map(\.request.identifier) == ["a", "c"])
    center.removeAllPendingNotificationRequests()
    center.removeAllDeliveredNotifications()
    #expect(await center.pendingNotificationRequests().isEmpty)
    #expect(await center.deliveredNotifications().isEmpty)
  }

  @Test("the next date of a trigger is in the future, or nil")
  func dates() throws {
    let interval = UNTimeIntervalNotificationTrigger(timeInterval: 100, repeats: false)
    let soon = try #require(interval.nextTriggerDate())
    #expect(soon > Date())
    let eight = UNCalendarNotificationTrigger(dateMatching: DateComponents(hour: 8), repeats: true)
    let next = try #require(eight.nextTriggerDate())
    #expect(next > Date() && Calendar.current.component(.hour, from: next) == 8)
  }
}

@Suite("An app's code runs unchanged")
struct AppFixtureTests {
  private let push = UNNotification(
    request: UNNotificationRequest(
      identifier: "p", content: AppDelegate.content(), trigger: UNPushNotificationTrigger()),
    date: Date(timeIntervalSince1970: 0))

  /// Calls a closure with this center as the current one.
  private func inhabiting(_ center: UNUserNotificationCenter, _ body: () -> Void) {
    var world = UNWorld()
    world.center = center
    world.run(body)
  }

  @Test("an app requests authorization and registers its categories at launch")
  func launch() async {
    let center = UNUserNotificationCenter(authorization: .notDetermined)
    let app = AppDelegate()
    inhabiting(center) { app.didFinishLaunching() }
    #expect(center.delegate === app)
    #expect(await center.notificationSettings().authorizationStatus == .provisional)
    let names = await center.notificationCategories().map(\.identifier).sorted()
    #expect(names == ["MESSAGE", "NEWS", "PLAIN"])
  }

  @Test("an app schedules, reads and removes requests")
  func schedule() async throws {
    let center = UNUserNotificationCenter(authorization: .notDetermined)
    let app = AppDelegate()
    app.center = center
    try await app.scheduleAll()
    #expect(app.log == ["8 true", "0"])
    app.schedule(push.request)
    #expect(await center.pendingNotificationRequests().map(\.identifier) == ["p"])
    #expect(await center.deliveredNotifications().isEmpty && center.badgeCount == 1)
  }

  @Test("a delegate may implement either form of a method")
  func delegates() async {
    let center = UNUserNotificationCenter()
    let app = AppDelegate()
    #expect(
      await app.userNotificationCenter(center, willPresent: push)
        == [.banner, .list, .sound, .badge])
    for action in [UNNotificationDefaultActionIdentifier, UNNotificationDismissActionIdentifier] {
      let response = UNNotificationResponse(notification: push, actionIdentifier: action)
      await app.userNotificationCenter(center, didReceive: response)
    }
    let text = UNTextInputNotificationResponse(
      notification: push, actionIdentifier: "REPLY", userText: "yes")
    await app.userNotificationCenter(center, didReceive: text)
    #expect(app.log == ["present p", "open", "dismiss", "yes"])
    #expect(
      await AsyncDelegate().userNotificationCenter(center, willPresent: push) == [.banner])
  }

  @Test("the center holds its delegate weakly")
  func weakDelegate() {
    let center = UNUserNotificationCenter()
    var app: AppDelegate? = AppDelegate()
    center.delegate = app
    #expect(center.delegate === app)
    app = nil
    #expect(center.delegate == nil)
  }

  @Test(
    "errors are caught by name",
    arguments: [("https://a/b.png", "invalid"), ("file:///etc/hostname", "unrecognized")])
  func errors(_ address: String, _ outcome: String) throws {
    let url = try #require(URL(string: address))
    #expect(AppDelegate().attach(url) == outcome)
  }

  @Test("an extension replies once with its content")
  func service() {
    var answers: [UNNotificationContent] = []
    inhabiting(UNUserNotificationCenter()) {
      NotificationService().didReceive(push.request) { answers.append($0) }
    }
    #expect(answers.map(\.title) == ["Table for two [p]"])
    #expect(answers.first?.subtitle == "push" && answers.first?.badge == 4)
    #expect(answers.first?.interruptionLevel == .passive)
  }
}
