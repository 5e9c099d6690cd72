import NotificationHost
import PushModel
import PushPayload
import Testing

@testable import PushServer

@Suite("The steps on the phone")
struct PhoneStepsTests {
  private static let time = Timestamp(milliseconds: 1_700_000_000_000)

  private static func steps(
    _ payload: JSONValue = ["aps": ["alert": "Rain", "mutable-content": 1]],
    _ edit: (inout PhoneSteps) -> Void = { _ in }
  ) -> DeliveryTimeline {
    var steps = PhoneSteps(push: ComposedPush(PushMessage(payload: payload)), acceptedAt: time)
    edit(&steps)
    return DeliveryTimeline(steps.steps)
  }

  private static func receipt(
    _ event: PushModel.Receipt.Event, after seconds: Int64 = 0
  ) -> PushModel.Receipt {
    Receipt(id: "r", send: "s", device: "d", event: event, at: time + .seconds(seconds))
  }

  @Test("settings of the time of the push are a cause, and later ones are not", arguments: [0, 1])
  func settingsTime(_ milliseconds: Int64) {
    let timeline = Self.steps {
      var settings = DeviceSettings()
      settings.switches = [.lockScreen: false]
      settings.reportedAt = Self.time + .milliseconds(milliseconds)
      $0.settings = settings
    }
    #expect(timeline.cause?.code == (milliseconds == 0 ? "lock_screen_off" : nil))
    let shown = timeline.steps.first { $0.stage == .shown }
    #expect(shown?.text.contains("which is after the push") == (milliseconds > 0))
  }

  @Test(
    "a phone's clock that is wrong by more than two minutes is a remark, and not a cause",
    arguments: [
      (-121, "2 minutes behind"), (-120, nil), (0, nil), (120, nil), (121, "2 minutes ahead"),
    ]
      as [(Int64, String?)])
  func clock(seconds: Int64, remark: String?) {
    let timeline = Self.steps { $0.receipts = [Self.receipt(.received, after: seconds)] }
    #expect(timeline.verdict.code == "received")
    #expect(timeline.steps[0].text.contains("the phone's clock is") == (remark != nil))
    if let remark { #expect(timeline.steps[0].text.contains(remark)) }
  }

  @Test("a push whose time is over says that APNs has dropped it", arguments: [0, 1])
  func expiry(_ seconds: Int64) {
    let timeline = Self.steps {
      $0.expiresAt = Self.time + .seconds(seconds)
      $0.now = Self.time
    }
    #expect(timeline.verdict.code == "not_known")
    #expect(timeline.steps[0].text.contains("APNs has dropped the push") == (seconds == 0))
  }

  @Test(
    "what only a shown notification reports says that it was shown",
    arguments: PushModel.Receipt.Event.allCases)
  func shown(_ event: PushModel.Receipt.Event) {
    let timeline = Self.steps { $0.receipts = [Self.receipt(event)] }
    #expect(timeline.verdict.code == (event == .received ? "received" : "shown"))
    #expect(timeline.cause == nil)
  }

  @Test("an extension that does not run is no report of the phone")
  func notRun() {
    let timeline = Self.steps(["aps": ["alert": "Rain"]])
    #expect(timeline.steps[0].code == "extension_not_run" && timeline.steps[0].isKnown)
    #expect(timeline.verdict.code == "not_known" && timeline.cause == nil)
  }

  @Test(
    "a fallback that the phone has shown is not a cause, and a file that it left out is",
    arguments: [
      ("attached", nil), ("alternative", nil), ("failed", "media_offline"),
      ("skipped", "media_offline"),
    ]
      as [(String, String?)])
  func media(result: String, code: String?) {
    let timeline = Self.steps {
      var receipt = Self.receipt(.received)
      (receipt.media, receipt.reason) = (result, result == "attached" ? nil : "offline")
      $0.receipts = [receipt]
    }
    #expect(timeline.cause?.code == code)
  }
}
