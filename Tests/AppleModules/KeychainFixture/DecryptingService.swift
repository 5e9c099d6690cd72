import CommonCrypto
import Foundation
import Security
import UserNotifications

/// A service extension that decrypts the body with a key that its app has stored in the keychain.
public final class DecryptingService: UNNotificationServiceExtension {
  public override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else {
      return contentHandler(request.content)
    }
    let userInfo = request.content.userInfo
    let (status, key) = KeyStore(accessGroup: userInfo["group"] as? String).read()
    if let key {
      content.body = decrypt(userInfo, key) ?? "not decrypted"
    } else {
      content.body = "status \(status)"
    }
    contentHandler(content)
  }

  private func decrypt(_ userInfo: [AnyHashable: Any], _ key: Data) -> String? {
    guard let text = Data(base64Encoded: userInfo["text"] as? String ?? ""),
      let iv = Data(base64Encoded: userInfo["iv"] as? String ?? "")
    else { return nil }
    var output = [UInt8](repeating: 0, count: text.count)
    var moved = 0
    let status = CCCrypt(
      CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES128), CCOptions(kCCOptionPKCS7Padding),
      Array(key), key.count, Array(iv), Array(text), text.count, &output, output.count, &moved)
    guard status == kCCSuccess else { return nil }
    return String(bytes: output.prefix(moved), encoding: .utf8)
  }
}
