import Foundation
import MartletKit
import PushCrypto
import PushPayload
import _OpenSSLCrypto

/// An app of the demo that uses MartletKit, on the phone of one user.
struct DemoApp: Sendable {
  private let push: PushDevice
  private let folder: URL
  private let bundleID: String

  /// - Parameters:
  ///   - server: The address of the server.
  ///   - key: The device key.
  ///   - folder: The app group's folder.
  ///   - bundleID: The app's bundle identifier.
  init(server: URL, key: String, folder: URL, bundleID: String) {
    push = PushDevice(PushSettings(server: server, key: key, folder: folder))
    self.folder = folder
    self.bundleID = bundleID
  }

  /// The identifier and the secret made by the library, in the form that the service extension reads.
  var credentials: DeviceCredentials? { DeviceCredentials(folder: folder) }

  /// Registers the phone and signs its user in.
  ///
  /// - Parameters:
  ///   - token: The push token.
  ///   - user: The user.
  ///   - identityKey: The private key with which the app's server proves its users.
  /// - Throws: ``CommandFailure`` if the server does not accept all of it.
  func register(token: Data, user: String, identityKey: any ES256PrivateKey) async throws {
    await push.start()
    push.setToken(token)
    push.reportPermission(.allowed)
    try await push.signIn(user, proof: proof(of: user, identityKey))
    try await send("the registration")
  }

  /// A token for the header `Martlet-User-Token`, which the app's own server would create.
  private func proof(of user: String, _ key: any ES256PrivateKey) throws -> String {
    let claims: JSONValue = [
      "sub": .string(user), "aud": .string(bundleID),
      "exp": .integer(Int64(Date().timeIntervalSince1970) + 3600),
    ]
    let header: JSONValue = ["alg": "ES256", "typ": "JWT"]
    let signed = [header, claims].map { Base64URL.encode(Array($0.serialized())) }
      .joined(separator: ".")
    return try signed + "." + Base64URL.encode(key.signature(for: Array(signed.utf8)))
  }

  /// Simulates a tap of the user on the notification.
  ///
  /// - Parameter payload: The notification's payload.
  /// - Throws: ``CommandFailure`` if the app or the server does not learn of the tap.
  func tap(_ payload: JSONValue) async throws {
    push.recordOpening(payload: payload, request: "demo")
    var openings = push.openings.makeAsyncIterator()
    guard await openings.next() != nil else { throw CommandFailure("the app got no tap") }
    try await send("the tap")
  }

  /// Reads the inbox and its message.
  ///
  /// - Returns: The last published message, and the number of unread messages before and after it was read.
  /// - Throws: ``CommandFailure`` if the inbox has no message.
  func readMessage() async throws -> (message: InboxMessage, unread: (before: Int, after: Int)) {
    let messages: [InboxMessage]
    do {
      messages = try await push.inbox.refresh()
    } catch {
      throw CommandFailure("the inbox cannot be read: \(error.sentence)", cause: error)
    }
    guard let message = messages.first else { throw CommandFailure("the inbox has no message") }
    let before = push.inbox.unreadCount
    await push.inbox.markRead([message.id])
    try await send("what was read")
    return (message, (before, push.inbox.unreadCount))
  }

  /// Sends until the server has everything, because the library waits if its files are in use or a request fails.
  private func send(_ what: String) async throws {
    let deadline = ContinuousClock.now + .seconds(30)
    var status = await push.synchronize()
    while [.waitingForStorage, .retrying, .pending].contains(status.state.kind),
      ContinuousClock.now < deadline
    {
      try await Task.sleep(for: .milliseconds(100))
      await push.activate()
      status = await push.synchronize()
    }
    guard status.state == .upToDate, status.problems.isEmpty else {
      let problems = status.problems.map { "\($0.path): \($0.reason)" }
      let reasons = ([status.state.description] + problems).joined(separator: "; ")
      throw CommandFailure("the server did not take \(what) (\(reasons))")
    }
  }
}
