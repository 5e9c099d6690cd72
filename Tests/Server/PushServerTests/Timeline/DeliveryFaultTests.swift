import Foundation
import PushPayload
import TestSupport
import Testing

@testable import PushServer

@Suite("The first cause on the way of a notification", .timeLimit(.minutes(10)))
struct DeliveryFaultTests {
  static let faults =
    DeliveryFault.audience + DeliveryFault.limits + DeliveryFault.keys + DeliveryFault.composition
    + DeliveryFault.answers + DeliveryFault.campaigns + DeliveryFault.settings
    + DeliveryFault.payloads + DeliveryFault.extensions + DeliveryFault.media

  @Test("there are more than a hundred faults with different names")
  func count() {
    #expect(Self.faults.count >= 100)
    #expect(Set(Self.faults.map(\.name)).count == Self.faults.count)
  }

  @Test("each is named as the first cause, with advice", arguments: faults)
  func named(_ fault: DeliveryFault) async throws {
    let answer = try await fault.run()
    let verdict = answer["verdict"]
    #expect(verdict?["code"] == .string(fault.code), "\(answer.text)")
    // Nothing is to be done about these.
    if !["control", "held_out", "waiting", "exited"].contains(fault.code) {
      #expect(verdict?["advice"]?.string?.isEmpty == false, "\(answer.text)")
    }
    let steps = try #require(answer["steps"]?.array)
    #expect(steps.first { $0["cause"] == true }?["code"] == verdict?["code"], "\(answer.text)")
    let stages = steps.compactMap { $0["stage"]?.string.flatMap(DeliveryTimeline.Stage.init) }
    let order = stages.compactMap { DeliveryTimeline.Stage.allCases.firstIndex(of: $0) }
    #expect(order == order.sorted() && order.count == steps.count, "\(answer.text)")
  }

  @Test("docs/server/why.md names every code, and those of media and decryption by their prefix")
  func documented() throws {
    let page = try String(contentsOf: Repository.url("docs/server/why.md"), encoding: .utf8)
    // The reasons of APNs are Apple's.
    let codes = Set(Self.faults.map(\.code)).filter { $0.first?.isLowercase == true }
    for code in codes.union(DeliveryFacts.Code.allCases.filter { $0.advice != nil }.map(\.rawValue))
    {
      let prefix = ["media_", "decryption_"].first { code.hasPrefix($0) }
      #expect(page.contains("`\(prefix ?? code)`"), "\(code)")
    }
  }

  @Test("a timeline has no text of the payload", arguments: faults)
  func privacy(_ fault: DeliveryFault) async throws {
    let text = try await fault.run().text
    #expect(!text.contains("umbrella") && !text.contains("picture.png"))
  }

  // MARK: What is not known

  /// Faults that leave no trace anywhere: nothing is named in their place.
  static let unknown: [DeliveryFault] = [
    DeliveryFault("the extension is ended by the system", "not_known", from: "not_reported") {
      $0.phone.endsExtension = true
    },
    DeliveryFault("the app has no extension", "not_known", from: "parse-community/node-apn#143") {
      $0.phone.hasExtension = false
    },
    DeliveryFault("the extension has no app group", "not_known", from: "not_reported") {
      $0.phone.hasAppGroup = false
    },
    DeliveryFault(
      "the app was removed, which APNs says later only", "not_known", from: "aldero-io/faxdash#250",
      before: { $0.reachesPhone = false },
      after: { world in
        world.query = "notification=\(world.id)&device=d"
        world.refuse(410, "Unregistered")
        await world.send()
        try await world.deliver()
      }),
    DeliveryFault("the phone is off", "not_known", from: "not_reported") {
      $0.reachesPhone = false
    },
    DeliveryFault(
      "the person turned notifications off after the push", "not_known", from: "no_permission",
      before: { $0.reachesPhone = false },
      after: { world in
        world.fixture.clock.advance(by: .seconds(60))
        await world.register(["notification_settings": ["authorization": "denied"]])
      }),
  ]

  @Test("no cause is named without one that is known", arguments: unknown)
  func notKnown(_ fault: DeliveryFault) async throws {
    let answer = try await fault.run()
    #expect(answer["verdict"]?["code"] == "not_known", "\(answer.text)")
    #expect(answer["verdict"]?["advice"]?.string?.contains("apns-id") == true)
    #expect(answer["steps"]?.array?.contains { $0["cause"] == true } == false)
    let last = answer["steps"]?.array?.first { $0["stage"] == "phone" }
    #expect(last?["known"] == false, "\(answer.text)")
  }

  // MARK: Healthy deliveries

  @Test("fifty healthy deliveries have no cause", arguments: 0..<50)
  func healthy(_ number: Int) async throws {
    let fault = DeliveryFault("healthy", "", from: "") { world in
      var settings: [String: JSONValue] = ["authorization": "authorized", "alerts": true]
      if number.isMultiple(of: 3) { settings["lock_screen"] = true }
      if number.isMultiple(of: 4) { settings["badges"] = false }
      if number.isMultiple(of: 5) { settings["sounds"] = false }
      await world.register(
        number.isMultiple(of: 2) ? ["notification_settings": .object(settings)] : [:])
      if number.isMultiple(of: 7) { world.payload["_martlet"] = nil }
      if number.isMultiple(of: 11) { world.payload["interruption_level"] = "time-sensitive" }
      if number.isMultiple(of: 13) { world.phone.isFocused = false }
      if number.isMultiple(of: 9) { world.phone.sendsTrace = false }
      if number.isMultiple(of: 10) { world.payload["badge"] = 1 }
    }
    let answer = try await fault.run()
    #expect(answer["verdict"]?["code"] == "received", "\(answer.text)")
    #expect(answer["steps"]?.array?.contains { $0["cause"] == true } == false)
  }
}
