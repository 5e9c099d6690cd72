import Foundation
import PushPayload
import Synchronization
import Testing
@_spi(Host) import UserNotifications

@testable import RichNotifications

@Suite("Categories are added to the system's set", .timeLimit(.minutes(10)))
struct CategoryRegistryTests {
  private static func category(
    _ buttons: [RichButton] = CategoryTests.buttons("Buy"), at seconds: Double = 1_790_000_000
  ) throws -> ButtonCategory {
    try CategoryTests.category(buttons, at: Date(timeIntervalSince1970: seconds))
  }

  @Test("every property of other categories is kept")
  func foreign() async throws {
    let center = UNUserNotificationCenter()
    let foreign: Set = [
      CategoryLookAlikeTests.category("app", options: [.customDismissAction, .allowInCarPlay]),
      CategoryLookAlikeTests.category("martlet.buttons.but.not.ours"),
    ]
    center.setNotificationCategories(foreign)
    let category = try Self.category()
    let outcome = await register(category, in: center)
    #expect(outcome == CategoryOutcome(.registered, identifier: category.identifier))
    let present = await center.notificationCategories()
    #expect(present.isSuperset(of: foreign) && present.count == 3)
    for old in foreign { #expect(present.contains { $0 === old }) }
  }

  @Test("a button becomes an action with its options, icon and text field")
  func actions() async throws {
    var delete = RichButton(identifier: "delete", title: "Delete")
    delete.isDestructive = true
    delete.opensApp = false
    delete.icon = .init(name: "trash", isSystem: true)
    var reply = RichButton(identifier: "reply", title: "Reply", url: "https://a.example/")
    reply.requiresUnlock = true
    reply.icon = .init(name: "Pen", isSystem: false)
    reply.textInput = .init(buttonTitle: "Send", placeholder: "Your words")
    let center = UNUserNotificationCenter()
    let category = try Self.category([delete, reply])
    _ = await register(category, in: center)
    let wanted = UNNotificationCategory(
      identifier: category.identifier,
      actions: [
        UNNotificationAction(
          identifier: "delete", title: "Delete", options: .destructive,
          icon: UNNotificationActionIcon(systemImageName: "trash")),
        UNTextInputNotificationAction(
          identifier: "reply", title: "Reply", options: [.foreground, .authenticationRequired],
          icon: UNNotificationActionIcon(templateImageName: "Pen"), textInputButtonTitle: "Send",
          textInputPlaceholder: "Your words"),
      ], intentIdentifiers: [])
    #expect(await center.notificationCategories() == [wanted])
  }

  @Test("the same buttons an hour later are not registered again")
  func again() async throws {
    let center = UNUserNotificationCenter()
    let first = try Self.category(at: 1_790_000_000)
    _ = await register(first, in: center)
    let second = await register(try Self.category(at: 1_790_003_600), in: center)
    #expect(second == CategoryOutcome(.alreadyThere, identifier: first.identifier))
    #expect(await center.notificationCategories().count == 1)
  }

  @Test("beyond the limit the oldest made categories are removed", arguments: [31, 32, 33, 40])
  func prunes(count: Int) async throws {
    let center = UNUserNotificationCenter()
    center.setNotificationCategories([CategoryLookAlikeTests.category("app")])
    var identifiers: [String] = []
    for number in 0..<count {
      let category = try Self.category(
        CategoryTests.buttons("Buy \(number)"), at: Double(1_790_000_000 + number))
      identifiers.append(category.identifier)
      _ = await register(category, in: center)
    }
    let present = Set(await center.notificationCategories().map(\.identifier))
    #expect(present == Set(identifiers.suffix(32) + ["app"]))
  }

  @Test(
    "a write to a slow system is repeated, and the outcome tells whether it was visible in time",
    arguments: [
      (0, CategoryOutcome.Result.registered), (1, .registered), (2, .registered),
      (3, .notVisible), (9, .notVisible),
    ])
  func slow(reads: Int, result: CategoryOutcome.Result) async throws {
    let center = UNUserNotificationCenter(readsUntilVisible: reads)
    let category = try Self.category()
    let outcome = await register(category, in: center)
    #expect(outcome == CategoryOutcome(result, identifier: category.identifier))
    for _ in 0..<reads { _ = await center.notificationCategories() }
    #expect(await center.notificationCategories().map(\.identifier) == [category.identifier])
  }

  @Test("a system that never responds leaves nothing allocated")
  func silent() throws {
    weak var witness: Witness?
    do {
      let held = Witness()
      witness = held
      let registry = UNCategoryRegistry(center: UNUserNotificationCenter(responds: false))
      registry.register(try Self.category()) { _ in held.call() }
      #expect(held.calls.withLock { $0 } == 0)
    }
    #expect(witness == nil)
  }

  @Test("concurrent registrations keep the app's own categories")
  func crowd() async throws {
    let center = UNUserNotificationCenter()
    let app = CategoryLookAlikeTests.category("app")
    center.setNotificationCategories([app])
    await withTaskGroup { group in
      for number in 0..<64 {
        group.addTask {
          guard
            let category = ButtonCategory(
              buttons: CategoryTests.buttons("\(number)"), at: CategoryTests.noon)
          else { return }
          _ = await register(category, in: center)
        }
      }
    }
    let present = await center.notificationCategories()
    #expect(present.contains(app))
    #expect((2...33).contains(present.count))
  }
}

private final class Witness: Sendable {
  let calls = Mutex(0)
  func call() { calls.withLock { $0 += 1 } }
}

private func register(
  _ category: ButtonCategory, in center: UNUserNotificationCenter
) async -> CategoryOutcome {
  await withCheckedContinuation { continuation in
    UNCategoryRegistry(center: center).register(category) { continuation.resume(returning: $0) }
  }
}
