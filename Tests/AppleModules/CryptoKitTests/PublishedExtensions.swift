import CryptoKit
import Foundation
import Testing
import UserNotifications

// The code is our own, in the forms of published extensions: data, IV and tag of the payload in Base64, as in the
// `ExampleNotificationService` of an SDK; a combined box; and a key agreement with HKDF, as in messengers.

/// A service extension that decrypts the body of a notification.
private final class DecryptingService: UNNotificationServiceExtension {
  static let keyData = Data(SHA256.hash(data: Data("a shared secret".utf8)))
  var contentHandler: ((UNNotificationContent) -> Void)?
  var bestAttemptContent: UNMutableNotificationContent?

  override init() { super.init() }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    self.contentHandler = contentHandler
    bestAttemptContent = (request.content.mutableCopy() as? UNMutableNotificationContent)
    guard let bestAttemptContent else { return contentHandler(request.content) }
    do {
      bestAttemptContent.body = try decrypt(request.content.userInfo)
    } catch CryptoKitError.authenticationFailure {
      bestAttemptContent.body = "changed"
    } catch {
      bestAttemptContent.body = "unreadable"
    }
    contentHandler(bestAttemptContent)
  }

  private func decrypt(_ userInfo: [AnyHashable: Any]) throws -> String {
    let key = SymmetricKey(data: Self.keyData)
    let box: AES.GCM.SealedBox
    if let encrypted = userInfo["encrypted"] as? [String: String],
      let data = Data(base64Encoded: encrypted["data"] ?? ""),
      let iv = Data(base64Encoded: encrypted["iv"] ?? ""),
      let tag = Data(base64Encoded: encrypted["authTag"] ?? "")
    {
      box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: iv), ciphertext: data, tag: tag)
    } else {
      let combined = Data(base64Encoded: userInfo["payload"] as? String ?? "") ?? Data()
      box = try AES.GCM.SealedBox(combined: combined)
    }
    return String(decoding: try AES.GCM.open(box, using: key), as: UTF8.self)
  }
}

@Suite("Code of published extensions with CryptoKit")
struct PublishedCryptoTests {
  private func body(_ userInfo: [AnyHashable: Any]) -> String? {
    let content = UNMutableNotificationContent()
    content.userInfo = userInfo
    let request = UNNotificationRequest(identifier: "a", content: content, trigger: nil)
    var body: String?
    DecryptingService().didReceive(request) { body = $0.body }
    return body
  }

  @Test("a service extension decrypts both forms")
  func decrypt() throws {
    let key = SymmetricKey(data: DecryptingService.keyData)
    let box = try AES.GCM.seal(Data("Hello".utf8), using: key)
    let parts = [
      "data": box.ciphertext.base64EncodedString(), "iv": Data(box.nonce).base64EncodedString(),
      "authTag": box.tag.base64EncodedString(),
    ]
    #expect(body(["encrypted": parts]) == "Hello")
    let combined = try #require(box.combined)
    #expect(body(["payload": combined.base64EncodedString()]) == "Hello")
    var changed = combined
    changed[13] ^= 1
    #expect(body(["payload": changed.base64EncodedString()]) == "changed")
    #expect(body([:]) == "unreadable")
  }

  @Test("the device's key opens what a server sealed for it")
  func keyAgreement() throws {
    let device = try P256.KeyAgreement.PrivateKey(
      rawRepresentation: P256.KeyAgreement.PrivateKey().rawRepresentation)
    let server = P256.KeyAgreement.PrivateKey()
    func key(_ own: P256.KeyAgreement.PrivateKey, _ peer: Data) throws -> SymmetricKey {
      try own.sharedSecretFromKeyAgreement(with: .init(x963Representation: peer))
        .hkdfDerivedSymmetricKey(
          using: SHA256.self, salt: Data(), sharedInfo: Data("push".utf8), outputByteCount: 32)
    }
    let sealed = try ChaChaPoly.seal(
      Data("Hi".utf8), using: key(server, device.publicKey.x963Representation)
    ).combined
    let opened = try ChaChaPoly.open(
      .init(combined: sealed), using: key(device, server.publicKey.x963Representation))
    #expect(opened == Data("Hi".utf8))
  }

  @Test("a digest is written in hexadecimal")
  func hexadecimal() {
    let name = SHA256.hash(data: Data("https://cdn.example/a.png".utf8))
      .compactMap { String(format: "%02x", $0) }.joined()
    #expect(name.count == 64)
    let digest = Insecure.MD5.hash(data: Data()).map { String(format: "%02hhx", $0) }.joined()
    #expect(digest == "d41d8cd98f00b204e9800998ecf8427e")
    let code = HMAC<SHA256>.authenticationCode(
      for: Data("a".utf8), using: SymmetricKey(data: Data("k".utf8)))
    #expect(Data(code).base64EncodedString().count == 44)
  }
}
