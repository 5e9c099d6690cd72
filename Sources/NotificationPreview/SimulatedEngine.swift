import Foundation
import NotificationHost
import PushCrypto
import PushPayload
import RichNotifications
import _OpenSSLCrypto

/// The real extension as a simulation sets it up: in this process, or in one of its own.
struct SimulatedEngine: Codable, Sendable {
  var mediaKeys: [String]
  var allowsPrivateAddresses: Bool
  var keys: DeviceKeys?

  /// The words by which this binary runs the extension for the host that started it; not in the help.
  static let verb = "extension-host"

  var dialects: DialectTable {
    guard !mediaKeys.isEmpty else { return .standard }
    return .standard.preceded(by: .custom(media: mediaKeys.map { PayloadPath($0) }))
  }

  func makeExtension(
    _ environment: RichEnvironment, noting note: @escaping @Sendable (EngineNote) -> Void
  ) -> SimulatedExtension {
    var rich = RichConfiguration(dialects: dialects)
    rich.media.allowsPrivateAddresses = allowsPrivateAddresses
    rich.decryption = keys.map { keys in PayloadDecryption(crypto: OpenSSLCrypto()) { keys } }
    rich.trace = { note(EngineNote($0)) }
    rich.delivered = { note(.delivered(EngineOutcome($0))) }
    var environment = environment
    environment.crypto = OpenSSLCrypto()
    return SimulatedExtension(configuration: rich, environment: environment)
  }

  /// Serves the host that has started this process.
  static func serve() -> Never {
    ExtensionMain.run { surroundings in
      // What a host of another version sends is no reason to show nothing.
      let engine =
        (try? JSONDecoder().decode(Self.self, from: surroundings.configuration.serialized()))
        ?? SimulatedEngine(mediaKeys: [], allowsPrivateAddresses: false)
      let world = surroundings.world
      return engine.makeExtension(surroundings.environment) { note in
        if let value = JSONValue(encoding: note) { world.note(value) }
      }
    }
  }
}

/// What the engine says of its work, as it does it.
enum EngineNote: Codable, Sendable {
  case decided(at: Duration, stage: String, rule: String, message: String, detail: String?)
  case delivered(EngineOutcome)

  init(_ event: TraceEvent) {
    self = .decided(
      at: event.at, stage: event.stage.rawValue, rule: event.rule, message: event.message,
      detail: event.privateDetail)
  }
}

/// What the engine made of a payload, as far as a report tells it.
package struct EngineOutcome: Codable, Sendable {
  package struct Button: Codable, Sendable {
    package var identifier: String
    package var url: String?
  }

  package struct Media: Codable, Sendable {
    package var url: String
    package var result: String
    package var reason: String?
    package var status: Int?
    package var bytes: Int64
  }

  package var dialect: String
  package var decryption: String?
  package var buttons: [Button]
  /// What the attached files were called in the payload.
  package var attachments: [String]
  package var media: [Media]

  init(_ content: EnrichedContent) {
    dialect = content.dialect.rawValue
    decryption = content.decryption
    buttons = content.buttons.map { Button(identifier: $0.identifier, url: $0.url) }
    attachments = content.attachments.map(\.url)
    media = content.media.map {
      Media(
        url: $0.url, result: $0.result.rawValue, reason: $0.reason?.rawValue, status: $0.status,
        bytes: $0.bytes)
    }
  }
}

extension JSONValue {
  /// `nil` for what has no JSON form.
  init?(encoding value: some Encodable) {
    guard let data = try? JSONEncoder().encode(value), let json = try? JSONValue(parsing: data)
    else { return nil }
    self = json
  }
}
