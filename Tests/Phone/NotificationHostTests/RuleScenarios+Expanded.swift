import Foundation
import NotificationHost
import NotificationTemplates
import PushPayload
import RichNotifications
import Testing
import UserNotifications

// What a person sees of a notification that is expanded.

extension RuleScenarioTests {
  static let expanded: [RuleScenario] = [
    RuleScenario(
      .contentExtension, "only the category of its Info.plist, spelled alike, is its own"
    ) {
      for (category, isShown) in [("expanded", true), ("Expanded", false), ("", false)] {
        var phone = ExpandedPhone.make()
        phone.on(
          .expanded(ExpandedPhone.notification(["kind": "text"], category: category)), at: 1000)
        #expect((phone.shown != nil) == isShown && (phone.height != nil) == isShown)
      }
    },
    RuleScenario(.contentSize, "the ratio comes first, then the height of the layout") {
      var phone = ExpandedPhone.make()
      phone.on(.expanded(ExpandedPhone.notification(["kind": "text"])), at: 1000)
      let heights = phone.messages(of: .contentSize)
      #expect(heights.count == 2 && heights.first == "the view is 150 points high")
      #expect(phone.height.map { $0 != 150 } == true)
    },
    RuleScenario(.contentTouches, "without touches, a tap on the view opens the app") {
      for takesTouches in [true, false] {
        var phone = ExpandedPhone.make(takesTouches: takesTouches)
        phone.on(.expanded(ExpandedPhone.notification(ExpandedPhone.poll)), at: 1000)
        phone.on(.tapped(.choose("b")), at: 1001)
        #expect((phone.shown != nil) == takesTouches)
        #expect(phone.state?.isAnswered == (takesTouches ? true : nil))
      }
    },
    RuleScenario(.contentAction, "a button keeps the view, closes it, or goes to the app") {
      for (button, isOpen, message) in [
        ("a", true, "a: the view stays"), ("later", false, "later: the view is closed"),
        ("mine", false, "mine: the view is closed, and the app gets the action"),
        ("shop", false, "shop: the view is closed"),
      ] {
        var phone = ExpandedPhone.make(categories: ["expanded": ["mine"]])
        phone.on(.expanded(ExpandedPhone.notification(ExpandedPhone.poll)), at: 1000)
        phone.on(.pressed(button), at: 1001)
        #expect((phone.shown != nil) == isOpen, "\(button)")
        #expect(phone.messages(of: .contentAction) == [message])
        #expect(phone.unanswered.isEmpty)
        #expect(phone.isRemoved == (button == "shop"))
      }
    },
    RuleScenario(.contentButtons, "the category's buttons are joined by those of the template") {
      var phone = ExpandedPhone.make(categories: ["expanded": ["mine"], "sale": ["other"]])
      phone.on(.expanded(ExpandedPhone.notification(ExpandedPhone.poll)), at: 1000)
      #expect(phone.buttons.map(\.id) == ["mine", "a", "shop", "later"])
      phone.on(.tapped(.choose("a")), at: 1001)
      #expect(!phone.buttons.map(\.id).contains("a"), "there is nothing left to choose")
      // Another category has other buttons, also in the same view.
      phone.on(
        .received(
          ExpandedPhone.notification(["kind": "text"], id: "second", category: "sale")), at: 1002)
      #expect(phone.buttons == [.registered(id: "other")])
      phone.on(.pressed("mine"), at: 1003)
      #expect(phone.messages(of: .contentButtons).last == "there is no button mine")
    },
    RuleScenario(.contentThread, "another thread, or a category of another extension, is not shown")
    {
      for (thread, category, isShown) in [
        ("t", "expanded", true), ("t", "sale", true), ("u", "expanded", false),
        ("t", "other", false), ("", "expanded", false),
      ] {
        var phone = ExpandedPhone.make()
        phone.on(.expanded(ExpandedPhone.notification(ExpandedPhone.poll)), at: 1000)
        phone.on(
          .received(
            ExpandedPhone.notification(
              ["kind": "text"], id: "second", category: category, thread: thread)), at: 1001)
        #expect((phone.template?.kind == .text) == isShown, "\(thread) \(category)")
        #expect(phone.shown != nil)
      }
    },
    RuleScenario(.contentMemory, "over the limit it is gone at once, and at the limit it stays") {
      for (bytes, isShown) in [(24 << 20, true), ((24 << 20) + 1, false)] {
        var phone = ExpandedPhone.make()
        phone.on(.expanded(ExpandedPhone.notification(ExpandedPhone.poll)), at: 1000)
        phone.on(.used(bytes: bytes), at: 1001)
        #expect((phone.shown != nil) == isShown && phone.buttons.isEmpty == !isShown)
        let count = phone.trace.count
        phone.on(.tapped(.choose("a")), at: 1002)
        #expect((phone.trace.count > count) == isShown, "nothing follows")
      }
    },
  ]
}
