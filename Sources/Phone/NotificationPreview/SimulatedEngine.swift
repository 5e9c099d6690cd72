import Foundation
import NotificationHost
import PushCrypto
import PhoneCards
import PushPayload
import RichNotifications
import _OpenSSLCrypto

/// The settings of the real extension on a simulated phone, in this process or in a child process.
package struct SimulatedEngine: Codable, Sendable {
  var mediaKeys: [String]
  var allowsPrivateAddresses: Bool
  var keys: DeviceKeys?
  var requiresEncryption = false

  /// The command with which this binary runs the extension in a child process; `--help` does not list it.
  package static let verb = "extension-host"

  var dialects: DialectTable {
    guard !mediaKeys.isEmpty else { return .standard }
    return .standard.preceded(by: .custom(media: mediaKeys.map { PayloadPath($0) }))
  }

  func makeExtension(
    _ environment: RichEnvironment, reportingTo note: @escaping @Sendable (EngineNote) -> Void
  ) -> SimulatedExtension {
    var rich = RichConfiguration(dialects: dialects)
    rich.media.allowsPrivateAddresses = allowsPrivateAddresses
    rich.decryption = keys.map { keys in PayloadDecryption(crypto: OpenSSLCrypto()) { keys } }
    rich.requiresEncryption = requiresEncryption
    rich.trace = { note(EngineNote($0)) }
    rich.delivered = { note(.delivered(EngineOutcome($0))) }
    var environment = environment
    environment.crypto = OpenSSLCrypto()
    return SimulatedExtension(configuration: rich, environment: environment)
  }

  /// Runs the extension for the host that started this process.
  package static func serve() -> Never {
    ExtensionMain.run { context in
      // A host of another version may send settings that do not decode: the extension still runs.
      let engine =
        (try? JSONDecoder().decode(Self.self, from: context.configuration.serialized()))
        ?? SimulatedEngine(mediaKeys: [], allowsPrivateAddresses: false)
      let host = context.host
      return engine.makeExtension(context.environment) { note in
        if let value = JSONValue(encoding: note) { host.note(value) }
      }
    }
  }
}
