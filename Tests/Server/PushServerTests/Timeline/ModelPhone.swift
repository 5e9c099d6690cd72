import Foundation
import MediaLoading
import NotificationHost
import PushCrypto
import PushPayload
import RichNotifications
import TestSupport
@_spi(Host) import UserNotifications
import _OpenSSLCrypto

/// A phone of the model of iOS with an app whose service extension stores receipts.
struct ModelPhone: Sendable {
  /// The answer to a request for media.
  var answer = ScriptedNetwork.Response(body: .file(Fixtures.url("media/picture.png")))
  var settings = NotificationSettings()
  var hasExtension = true
  /// Whether the extension has the app group in which it stores receipts.
  var hasAppGroup = true
  /// Whether the system ends the extension before it calls the handler.
  var endsExtension = false
  var categories: [String] = []
  /// The keys of the extension; `nil` if it does not decrypt.
  var keys: DeviceKeys?
  var isFocused: Bool?
  var sendsTrace = true
  /// The error of the phone's clock.
  var clockError = 0.0
  /// The number of times that the phone gets the push.
  var repeats = 1
  let group = TemporaryFolder()

  static let picture = "https://media.example.com/picture.png"

  /// The app's service extension.
  ///
  /// `@unchecked Sendable`: its properties are constants, and the base class protects its own.
  private final class Service: RichNotificationService, @unchecked Sendable {
    private let phone: ModelPhone
    private let date: Date

    init(_ phone: ModelPhone, at date: Date) {
      (self.phone, self.date) = (phone, date)
      super.init()
    }

    override var configuration: RichConfiguration {
      var configuration = super.configuration
      if phone.hasAppGroup {
        configuration.receipts = phone.receipts
      }
      configuration.decryption = phone.keys.map { keys in
        PayloadDecryption(crypto: OpenSSLCrypto()) { keys }
      }
      return configuration
    }

    override var environment: RichEnvironment {
      var environment = super.environment
      environment.appGroupFolder = phone.group.url
      environment.categories = phone.categories
      environment.crypto = OpenSSLCrypto()
      let now = date
      environment.date = { now }
      return environment
    }
  }

  /// An extension that never calls the handler.
  private final class Silent: UNNotificationServiceExtension {
    override func didReceive(
      _ request: UNNotificationRequest,
      withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {}
  }

  private var receipts: ReceiptSettings {
    var receipts = ReceiptSettings(
      endpoint: URL(fileURLWithPath: "/receipts"), deviceKey: "", deviceID: "d", folder: group.url)
    receipts.sendsTrace = sendsTrace
    if let isFocused { receipts.isFocused = { isFocused } }
    return receipts
  }

  /// Delivers a push at a time, and returns the report of the model and the receipts that the extension has stored.
  func deliver(
    _ message: PushMessage, at seconds: Double
  ) async throws -> (report: DeliveryReport, receipts: JSONValue) {
    let clock = VirtualClock()
    let container = TemporaryFolder()
    let date = Date(timeIntervalSince1970: seconds + clockError)
    var app = VirtualPhone.App(container: container.url)
    if endsExtension {
      app.makeExtension = { Silent() }
    } else if hasExtension {
      app.makeExtension = { Service(self, at: date) }
    }
    app.settings = settings
    app.extensionCategories = categories
    app.network = ScriptedNetwork([Self.picture: answer], clock: clock)
    let host = VirtualPhone(app: app, clock: clock)
    var report = await host.deliver(message)
    for number in 1..<repeats {
      // The same request again is the system's repeat of a run, which the extension answers again.
      var copy = message
      copy.collapseID = "copy-\(number)"
      report = await host.deliver(copy)
    }
    let stored = receipts.queue.waiting()
    let encoded = try stored.map { try JSONValue(parsing: JSONEncoder().encode($0)) }
    return (report, .array(encoded))
  }
}
