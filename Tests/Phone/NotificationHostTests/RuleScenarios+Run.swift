import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import UserNotifications

// Whether and how the extension runs.

extension RuleScenarioTests {
  private static let badge = #"{"aps":{"badge":1,"mutable-content":1}}"#
  private static let same: World.Receive = { $1($0.content) }

  private static func soundsAlone(filters: Bool) -> World {
    World { app, _ in
      app.settings = .denied
      app.settings.sounds = true
      app.entitlements.filtering = filters
    }
  }

  static let eligibility: [RuleScenario] = [
    RuleScenario(.mutableContent, "without it the extension does not run") {
      let report = try await World().deliver(#"{"aps":{"alert":"B"}}"#, same)
      #expect(!report.run.ran && report.outcome == .displayed, "\(report)")
      #expect(report.names(.mutableContent), "\(report)")
      #expect(try await World().deliver(World.plain, same).run.ran)
    },
    RuleScenario(.alertRequired, "a badge alone runs it with the filtering entitlement only") {
      let report = try await World().deliver(badge, same)
      #expect(!report.run.ran && report.names(.alertRequired), "\(report)")
      let filtering = World { app, _ in app.entitlements.filtering = true }
      #expect(try await filtering.deliver(badge, same).run.ran)
      #expect(try await !filtering.deliver(badge, pushType: nil, same).run.ran)
    },
    RuleScenario(.pushType, "a push of type background does not run it, one without a type does") {
      let report = try await World().deliver(World.plain, pushType: "background", same)
      #expect(!report.run.ran && report.names(.pushType), "\(report)")
      #expect(try await World().deliver(World.plain, pushType: nil, same).run.ran)
      let watch = World { _, behavior in behavior.requiresPushType = true }
      #expect(try await watch.deliver(World.plain, pushType: nil, same).names(.pushType))
    },
    RuleScenario(.alertSettings, "banner, lock screen or Notification Center will do, each alone") {
      for place in [\NotificationSettings.alerts, \.lockScreen, \.notificationCenter] {
        let world = World { app, _ in
          app.settings = .denied
          app.settings[keyPath: place] = true
        }
        #expect(try await world.deliver(World.plain, same).run.ran)
      }
      let report = try await Self.soundsAlone(filters: false).deliver(World.plain, same)
      #expect(!report.run.ran && report.names(.alertSettings), "\(report)")
      #expect(try await Self.soundsAlone(filters: true).deliver(World.plain, same).run.ran)
    },
    RuleScenario(.extensionPresent, "an app without one shows the original") {
      let report = try await World().deliver()
      #expect(report.outcome == .displayed && report.names(.extensionPresent), "\(report)")
    },
    RuleScenario(.categoryGate, "the category decides only where the switch says so") {
      for isOn in [false, true] {
        let world = World { app, behavior in
          app.extensionCategories = ["MINE"]
          behavior.categoryGatesServiceExtension = isOn
        }
        let report = try await world.deliver(World.plain, same)
        #expect(report.run.ran == !isOn && report.names(.categoryGate) == isOn, "\(report)")
      }
    },
  ]

  /// For `process-reuse`.
  private static let served = Mutex(0)

  static let run: [RuleScenario] = [
    RuleScenario(.serialQueue, "three at once: each begins when the one before has replied") {
      let world = World()
      let events = Mutex<[String]>([])
      let host = world.host { request, reply in
        events.withLock { $0.append("begins") }
        let kept = HostFlowTests.Kept(content: request.content, handler: reply)
        _ = world.clock.schedule(after: .seconds(1)) {
          events.withLock { $0.append("replies") }
          kept.reply()
        }
      }
      let message = try PushMessage(json: World.plain)
      await withTaskGroup(of: DeliveryReport.self) { group in
        for _ in 0..<3 { group.addTask { await host.deliver(message) } }
        for await report in group { #expect(report.outcome == .displayed, "\(report)") }
      }
      #expect(
        events.withLock { $0 }
          == ["begins", "replies", "begins", "replies", "begins", "replies"])
    },
    RuleScenario(.newInstance, "two notifications, two instances; one where the switch says so") {
      for reuses in [false, true] {
        let instances = Mutex(0)
        let world = World { app, behavior in
          behavior.reusesInstance = reuses
          app.makeExtension = {
            instances.withLock { $0 += 1 }
            return HostFlowTests.Scripted(same)
          }
        }
        let (host, message) = (world.host(), try PushMessage(json: World.plain))
        for _ in 0..<2 { _ = await host.deliver(message) }
        #expect(instances.withLock { $0 } == (reuses ? 1 : 2))
      }
    },
    RuleScenario(.processReuse, "static state survives from one notification to the next") {
      served.withLock { $0 = 0 }
      let host = World().host(
        World.changing { content in
          content.title = "\(served.withLock { $0 })"
          served.withLock { $0 += 1 }
        })
      let message = try PushMessage(json: World.plain)
      #expect(await host.deliver(message).content?.title == "0")
      #expect(await host.deliver(message).content?.title == "1")
    },
    RuleScenario(.anyThread, "didReceive and the warning are off the main thread") {
      let isMain = Mutex<[Bool]>([])
      let note: @Sendable () -> Void = { isMain.withLock { $0.append(Thread.isMainThread) } }
      _ = try await World().deliver(World.plain, { _, _ in note() }, warn: note)
      #expect(isMain.withLock { $0 } == [false, false])
    },
    RuleScenario(.launchTime, "one that starts too slowly never sees the notification") {
      let gate = DispatchSemaphore(value: 0)
      let received = Mutex(false)
      let world = World { app, behavior in
        (behavior.timeLimit, behavior.expiryGrace) = (.milliseconds(50), .milliseconds(10))
        app.makeExtension = {
          gate.wait()
          return HostFlowTests.Scripted { _, _ in received.withLock { $0 = true } }
        }
      }
      let report = try await world.deliver()
      #expect(report.outcome == .displayedOriginal && report.names(.launchTime), "\(report)")
      #expect(!received.withLock { $0 } && !report.run.expired)
      gate.signal()
    },
    RuleScenario(.timeLimit, "after 30 s from the start of the launch it goes on without it") {
      let report = try await World().deliver { _, _ in }
      #expect(report.outcome == .displayedOriginal && report.names(.timeLimit), "\(report)")
      #expect(report.run.elapsed >= .seconds(30) && report.run.elapsed < .seconds(31))
    },
    RuleScenario(.expiryWarning, "serviceExtensionTimeWillExpire comes once, 1 s before the end") {
      let world = World()
      let warnings = Mutex<[Duration]>([])
      let report = try await world.deliver(
        World.plain, { _, _ in }, warn: { warnings.withLock { $0.append(world.clock.now) } })
      #expect(report.run.expired && report.names(.expiryWarning), "\(report)")
      let times = warnings.withLock { $0 }
      #expect(times.count == 1 && times.allSatisfy { $0 >= .seconds(29) && $0 < .seconds(30) })
    },
    RuleScenario(.debugger, "with one attached no timer is set: a reply after an hour is taken") {
      let world = World { _, behavior in behavior.isDebugging = true }
      let report = try await world.deliver { request, reply in
        let kept = HostFlowTests.Kept(content: request.content, handler: reply)
        _ = world.clock.schedule(after: .seconds(3600)) { kept.reply() }
      }
      #expect(report.outcome == .displayed && !report.run.expired, "\(report)")
    },
  ]

  static let reply: [RuleScenario] = [
    RuleScenario(.firstReply, "called twice: the first is shown, the second is only noted") {
      let report = try await World().deliver { request, reply in
        for title in ["first", "second"] {
          World.changing { $0.title = title }(request, reply)
        }
      }
      #expect(report.content?.title == "first" && report.run.handlerCalls == 2)
      #expect(report.trace.count { $0.rule == HostRule.firstReply.name } == 2, "\(report)")
    },
    RuleScenario(.copyAtTheCall, "what is changed after the call has no effect") {
      let report = try await World().deliver { request, reply in
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
          return
        }
        content.title = "at the call"
        reply(content)
        content.title = "after the call"
      }
      #expect(report.content?.title == "at the call")
    },
    RuleScenario(.temporaryFiles, "a file of the temporary folder is moved away at the call") {
      for moves in [true, false] {
        let world = World { _, behavior in behavior.movesTemporaryFiles = moves }
        let file = try world.folder.write(Fixtures.bytes("media/picture.png"), to: "picture.png")
        let isThere = Mutex(true)
        _ = try await world.deliver(World.plain) { request, reply in
          World.attaching(file)(request, reply)
          isThere.withLock { $0 = FileManager.default.fileExists(atPath: file.path()) }
        }
        if moves { #expect(!isThere.withLock { $0 }) }
      }
    },
  ]
}
