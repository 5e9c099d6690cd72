import Foundation
import MediaLoading
import NotificationHost
import NotificationPreview
import PhoneCards
import PushModel
import PushPayload
import PushServer
import _Curl

/// The timeline of a payload without a server: what the journal of a sandbox and the model of iOS say of it.
struct OfflineExplanation {
  private let push: ComposedPush
  /// The request of the push in the journal; `nil` if no journal is given.
  private let request: JSONValue?
  private let settings: DeviceSettings?
  /// The network of the extension; `nil` if media are not judged.
  private let network: (@Sendable (any HostClock) throws -> any MediaLoader)?

  /// Reads the inputs that a command line names.
  ///
  /// - Throws: ``CommandFailure`` if one of them cannot be read or is not understood.
  init(_ arguments: Arguments, _ console: Console) throws {
    request = try Self.request(arguments)
    var payload = request?["payload"] ?? .null
    if let operand = arguments.operands.first {
      do {
        payload = try JSONValue(parsing: try InputFile.payload(operand, console))
      } catch let error as JSONError {
        throw CommandFailure("\(operand) is \(error.message)", cause: error)
      }
    }
    let pushType = try arguments[SimulateCommand.Options.pushType]
    push = ComposedPush(
      PushMessage(
        payload: payload, pushType: request?["headers"]?["apns-push-type"]?.string ?? pushType))
    settings = try Self.settings(arguments)
    network = try Self.network(arguments)
  }

  private static func request(_ arguments: Arguments) throws -> JSONValue? {
    guard let path = try arguments[ExplainCommand.Options.journal] else { return nil }
    let data = try InputFile.data(path, role: "which --journal names")
    let requests = SandboxJournal.read(data).requests
    let token = try arguments[ExplainCommand.Options.token]
    guard let last = requests.last(where: { token == nil || $0["token"]?.string == token }) else {
      throw CommandFailure(
        "\(path), which --journal names, has no push\(token == nil ? "" : " to this token")")
    }
    return last
  }

  private static func settings(_ arguments: Arguments) throws -> DeviceSettings? {
    guard let path = try arguments[ExplainCommand.Options.settings] else { return nil }
    let data = try InputFile.data(path, role: "which --settings names")
    guard let json = try? JSONValue(parsing: data), let settings = DeviceSettings(stored: json)
    else {
      throw CommandFailure(
        "\(path), which --settings names, must be an object of JSON with members among "
          + DeviceSettings.names.sorted().joined(separator: ", "))
    }
    return settings
  }

  private static func network(
    _ arguments: Arguments
  ) throws -> (@Sendable (any HostClock) throws -> any MediaLoader)? {
    if arguments[SimulateCommand.Options.online] {
      return { clock in RealNetwork(CurlMediaLoader(caFile: nil), clock: clock) }
    }
    let media = try arguments[SimulateCommand.Options.media]
    guard !media.isEmpty else { return nil }
    let answers = Dictionary(
      media.map { ($0.url, ScriptedNetwork.Response(body: .file($0.file))) }
    ) { $1 }
    return { clock in ScriptedNetwork(answers, clock: clock) }
  }

  func timeline() async throws -> DeliveryTimeline {
    let now = ServerClock.system.now()
    let time = request?["time"]?.string.flatMap { Timestamp(iso8601: $0) }
    var steps = [
      DeliveryTimeline.Step(
        .call, .unknown, code: "not_on_server",
        text: "Of the call, the audience and the limits a server knows; name it with --server.")
    ]
    steps += way(at: time)
    if steps.last?.meaning != .cause {
      var phone = PhoneSteps(push: push, acceptedAt: time ?? now)
      phone.settings = settings
      phone.now = now
      phone.receipts = try await receipts(at: now)
      steps += phone.steps
    }
    return DeliveryTimeline(steps)
  }

  /// The steps from the payload to APNs' answer.
  private func way(at time: Timestamp?) -> [DeliveryTimeline.Step] {
    let limit = PushType(rawValue: push.message.pushType ?? "").payloadLimit
    guard push.size <= limit else {
      return [
        DeliveryTimeline.Step(
          .composed, .cause, code: "PayloadTooLarge",
          text: "The payload has \(push.size) bytes, and APNs takes at most \(limit).",
          advice: "Write shorter texts.")
      ]
    }
    let composed = DeliveryTimeline.Step(
      .composed, .passed, code: "composed",
      text: "The payload has \(push.size) bytes and the push type \(push.message.pushType ?? "").")
    guard let request else {
      return [
        composed,
        DeliveryTimeline.Step(
          .answered, .unknown, code: "not_on_server",
          text: "No journal says what APNs has answered."),
      ]
    }
    let reason = request["reason"]?.string ?? ""
    let status = request["status"]?.integer ?? 0
    let sent = DeliveryTimeline.Step(
      .sent, .passed, code: "sent",
      text: "It was sent on the connection \(request["connection"]?.integer ?? 0) as stream"
        + " \(request["stream"]?.integer ?? 0).", at: time)
    let answered =
      status == 200
      ? DeliveryTimeline.Step(
        .answered, .passed, code: "accepted", text: "APNs accepted the push.", at: time)
      : DeliveryTimeline.Step(
        .answered, .cause, code: reason, text: "APNs refused the push with \(status) \(reason).",
        at: time,
        advice: FailureAdvice.text(reason))
    return [composed, sent, answered]
  }

  /// What the extension would report; empty if media are not judged, or it does not run.
  private func receipts(at now: Timestamp) async throws -> [Receipt] {
    guard let network else { return [] }
    let container = FileManager.default.temporaryDirectory
      .appending(path: "martlet-explain-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: container) }
    let clock = VirtualClock()
    let phone = SimulatedPhone(
      SimulatedPhone.Configuration(container: container), clock: clock,
      loader: try network(clock))
    let delivery = await phone.deliver(push.message)
    guard let enriched = delivery.enriched else { return [] }
    return [Receipt(of: enriched, at: now)]
  }
}

extension Receipt {
  /// The report of an extension that ran on a model of a phone.
  fileprivate init(of outcome: EngineOutcome, at time: Timestamp) {
    self.init(id: "model", send: "", device: "", event: .received, at: time)
    var trace = ReceiptTrace()
    trace.dialect = outcome.dialect
    trace.decryption = outcome.decryption
    trace.media = outcome.media.map { medium in
      ReceiptTrace.Medium(result: medium.result, reason: medium.reason, status: medium.status)
    }
    self.trace = trace
    let order = ["failed", "skipped", "alternative", "attached"]
    media = order.first { word in outcome.media.contains { $0.result == word } }
    reason = outcome.media.first { $0.result == media && $0.reason != nil }?.reason
  }
}
