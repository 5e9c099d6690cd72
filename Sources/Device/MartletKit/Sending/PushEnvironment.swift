import Foundation
import PushPayload

/// The services that the library takes from the system: files, network, clock, random bytes and facts about itself.
package struct PushEnvironment: Sendable {
  package var storage: any DeviceStorage
  package var transport: any PushTransport
  /// The time in milliseconds since 1970, which a person may set.
  package var now: @Sendable () -> Int64
  /// Waits for some milliseconds; if it is `nil`, as in tests, requests are sent only when a caller waits for them.
  package var sleep: (@Sendable (Int64) async throws -> Void)?
  /// Makes random bytes that nobody can guess.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// The facts about the phone and the app, by the keys of the server's API.
  package var system: @Sendable () -> [String: String]
  package var gateway: @Sendable () -> PushGateway
  /// The name of this process; two processes of one role never run at the same time.
  package var role: String

  package init(
    storage: any DeviceStorage, transport: any PushTransport, now: @escaping @Sendable () -> Int64,
    sleep: (@Sendable (Int64) async throws -> Void)?,
    randomBytes: @escaping @Sendable (Int) -> [UInt8],
    system: @escaping @Sendable () -> [String: String],
    gateway: @escaping @Sendable () -> PushGateway, role: String
  ) {
    self.storage = storage
    self.transport = transport
    self.now = now
    self.sleep = sleep
    self.randomBytes = randomBytes
    self.system = system
    self.gateway = gateway
    self.role = role
  }

  /// A random text of hexadecimal digits, two for each byte.
  func randomID(bytes count: Int = 16) -> String {
    randomBytes(count).hexadecimal
  }

  /// A random text in base64url, as the server takes a device's secret.
  func randomSecret() -> String {
    Data(randomBytes(32)).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// A random number from 0 to 1.
  func jitter() -> Double {
    let bytes = randomBytes(2)
    return (Double(bytes[0]) * 256 + Double(bytes[1])) / 65_535
  }
}
