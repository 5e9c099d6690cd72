import Foundation

/// What the library takes from the system: files, network, clock, randomness, and what it tells of itself.
package struct PushEnvironment: Sendable {
  package var storage: any DeviceStorage
  package var transport: any PushTransport
  /// The time in milliseconds since 1970, which a person may set.
  package var now: @Sendable () -> Int64
  /// Waits for some milliseconds; `nil` sends only where a caller waits for it, as in tests.
  package var sleep: (@Sendable (Int64) async throws -> Void)?
  /// Makes random bytes that nobody can guess.
  package var randomBytes: @Sendable (Int) -> [UInt8]
  /// What is told of the phone and the app, by the keys of the server's API.
  package var system: @Sendable () -> [String: String]
  package var gateway: @Sendable () -> PushGateway
  /// What this process is: one of the same role does not run at the same time.
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
    PushDevice.hexadecimal(Data(randomBytes(count)))
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
