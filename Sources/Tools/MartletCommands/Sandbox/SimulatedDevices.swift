import APNsSandbox
import Foundation
import NotificationHost
import NotificationPreview
import PhoneCards
import PushPayload
import RichNotifications
import _Curl

/// The simulated phones behind the sandbox.
///
/// Each accepted push is delivered to the model of iOS over the real network and in real time. Its report
/// and card are written to a folder.
struct SimulatedDevices: SandboxForwarding {
  private let folder: URL
  private let phone: SimulatedPhone
  private let cards = CardProcess.ofCommand()

  /// Makes the simulated phones.
  ///
  /// - Parameters:
  ///   - folder: The folder for reports and cards, which is created if it does not exist.
  ///   - mediaCA: The path of the only certificates that are trusted for media, which may then come from
  ///     private addresses; `nil` uses those of the system.
  /// - Throws: ``CommandFailure`` if the folder cannot be created or the certificates cannot be read.
  init(folder: URL, mediaCA: String?) throws {
    self.folder = folder
    let container = folder.appending(path: "media", directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(
        "--forward: cannot make the folder \(folder.path): is the place writable?", cause: error)
    }
    if let mediaCA { _ = try InputFile.data(mediaCA, role: "which --media-ca names") }
    var configuration = SimulatedPhone.Configuration(container: container)
    configuration.allowsPrivateAddresses = mediaCA != nil
    phone = SimulatedPhone(
      configuration, clock: SystemDeliveryClock(),
      loader: CurlMediaLoader(caFile: mediaCA))
  }

  func forward(_ delivery: SandboxDelivery) async throws -> ForwardedPush {
    let payload = try JSONValue(parsing: Data(delivery.payload))
    let message = PushMessage(
      payload: payload, pushType: delivery.pushType, collapseID: delivery.collapseID)
    let simulated = await phone.deliver(message)
    let name = "\(delivery.token.prefix(16))-\(delivery.apnsID)"
    let card = folder.appending(path: name + ".png").standardizedFileURL.path
    var report = SimulationReport(name: delivery.apnsID, delivery: simulated)
    await report.measureTemplate(by: cards)
    let hasCard = try await CardFile.write(
      simulated, by: cards, to: card, appName: Self.appName(delivery.topic),
      delivered: report.delivered)
    report.keepsFiles = true
    var object = report.json.object ?? [:]
    object["token"] = .string(delivery.token)
    object["topic"] = .string(delivery.topic)
    object["apns_id"] = .string(delivery.apnsID)
    object["complete"] = .bool(simulated.isComplete)
    object["card"] = hasCard ? .string(card) : nil
    // The JSON is written last and atomically, so that a reader who sees it also finds the card.
    let file = folder.appending(path: name + ".json")
    do {
      try JSONValue.object(object).serialized().write(to: file, options: .atomic)
    } catch {
      throw CommandFailure("cannot write \(file.path): is the disk full?", cause: error)
    }
    guard hasCard, let content = simulated.report.content else {
      return ForwardedPush(card: nil, text: simulated.report.reason)
    }
    let texts = [content.title, content.subtitle, content.body].filter { !$0.isEmpty }
    return ForwardedPush(card: card, text: texts.joined(separator: ". "))
  }

  /// The last component of a bundle id, capitalized, such as `Forecast` for `com.example.forecast`.
  private static func appName(_ topic: String) -> String {
    (topic.split(separator: ".").last ?? "App").capitalized
  }
}
