import CommonCrypto
import CryptoKit
import Foundation
import Intents
import Security
import TestSupport
@_spi(Host) @testable import UserNotifications
import UIKit
import os

/// A use of one of Apple's declarations that the model does not do, or only in part.
struct LimitCase: Sendable {
  /// The name that the line of the trace has.
  var api: String
  /// Whether the code has a keychain.
  var hasKeychain = true
  var use: @Sendable (URL) async throws -> Void

  init(
    _ api: String, hasKeychain: Bool = true, use: @escaping @Sendable (URL) async throws -> Void
  ) {
    (self.api, self.hasKeychain, self.use) = (api, hasKeychain, use)
  }

  static let all = foundation + intents + pictures + others + keychain + modules

  private static let foundation: [LimitCase] = [
    LimitCase("URL.startAccessingSecurityScopedResource()") { folder in
      _ = folder.startAccessingSecurityScopedResource()
    },
    LimitCase("URL.stopAccessingSecurityScopedResource()") { folder in
      folder.stopAccessingSecurityScopedResource()
    },
    LimitCase("URLSessionTaskMetrics.transactionMetrics") { _ in
      _ = URLSessionTaskMetrics(redirectCount: 0).transactionMetrics
    },
    LimitCase("URLSessionTaskMetrics.taskInterval") { _ in
      _ = URLSessionTaskMetrics(redirectCount: 0).taskInterval
    },
    LimitCase("String(localized:)") { folder in
      try Data("<plist/>".utf8).write(to: folder.appending(path: "Localizable.stringsdict"))
      _ = String(localized: "%d files", bundle: Bundle(url: folder))
    },
    LimitCase("String(localized:)") { folder in
      try Data("{}".utf8).write(to: folder.appending(path: "Texts.xcstrings"))
      _ = String(
        localized: "files", defaultValue: "files", table: "Texts", bundle: Bundle(url: folder))
    },
  ]

  private static var interaction: INInteraction {
    INInteraction(intent: INIntent(), response: nil)
  }

  private static let intents: [LimitCase] = [
    LimitCase("INInteraction.donate(completion:)") { _ in
      interaction.donate(completion: nil)
    },
    LimitCase("INInteraction.donate(completion:)") { _ in try await interaction.donate() },
    LimitCase("INInteraction.delete(with:completion:)") { _ in
      INInteraction.delete(with: ["a"], completion: nil)
    },
    LimitCase("INInteraction.delete(with:completion:)") { _ in
      INInteraction.delete(with: "group", completion: nil)
    },
    LimitCase("INInteraction.delete(with:completion:)") { _ in
      INInteraction.deleteAll(completion: nil)
    },
    LimitCase("UNNotificationContent.updating(from:)") { _ in
      let intent = INSendMessageIntent(
        recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hello",
        speakableGroupName: nil, conversationIdentifier: "c", serviceName: nil, sender: nil,
        attachments: nil)
      _ = try UNNotificationContent().updating(from: intent)
    },
  ]

  /// The head of a HEIC of 4 by 4 pixels, which cannot be decoded.
  static let heic =
    Data([0, 0, 0, 16]) + Data("ftypheic".utf8) + [0, 0, 0, 0, 0, 0, 0, 20] + Data("ispe".utf8)
    + [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 4]

  private static let pictures: [LimitCase] =
    [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x42, 0x4D, 0, 0], [0, 0, 1, 0]].map { mark in
      LimitCase("UIImage(data:)") { _ in _ = UIImage(data: Data(mark)) }
    } + [
      LimitCase("UIImage(named:)") { _ in _ = UIImage(named: "none") },
      LimitCase("UIImage.pngData()") { _ in _ = UIImage(data: heic)?.pngData() },
      LimitCase("UIImage.jpegData(compressionQuality:)") { _ in
        _ = UIImage(data: heic)?.jpegData(compressionQuality: 1)
      },
      LimitCase("UIViewController.init(coder:)") { _ in
        _ = UIViewController(coder: NSKeyedArchiver(requiringSecureCoding: false))
      },
      LimitCase("NSExtensionContext.inputItems") { _ in _ = NSExtensionContext().inputItems },
    ]

  private static let others: [LimitCase] = [
    LimitCase("SecureEnclave.isAvailable") { _ in _ = SecureEnclave.isAvailable },
    LimitCase("CCHmacInit") { _ in CCHmac(6, "k", 1, "m", 1, nil) },
    LimitCase("CCCryptorCreateWithMode") { _ in
      _ = CCCrypt(0, CCAlgorithm(kCCAlgorithmDES), 0, "12345678", 8, nil, nil, 0, nil, 0, nil)
    },
    LimitCase("OSSignposter") { _ in _ = OSSignposter().isEnabled },
    LimitCase("OSSignposter") { _ in _ = OSSignposter().makeSignpostID() },
    LimitCase("OSSignposter") { _ in _ = OSSignposter().makeSignpostID(from: NSObject()) },
    LimitCase("OSSignposter") { _ in _ = OSSignposter().beginInterval("a") },
    LimitCase("OSSignposter") { _ in _ = OSSignposter().beginInterval("a", "b") },
    LimitCase("OSSignposter") { _ in OSSignposter().emitEvent("a") },
    LimitCase("OSSignposter") { _ in OSSignposter().emitEvent("a", "b") },
    LimitCase("OSSignposter") { _ in OSSignposter().withIntervalSignpost("a") {} },
    LimitCase("OSSignposter") { _ in _ = OSLog.default.signpostsEnabled },
    LimitCase("OSSignposter") { _ in _ = OSSignpostID(log: .default) },
    LimitCase("OSSignposter") { _ in _ = OSSignpostID(log: .default, object: NSObject()) },
    LimitCase("OSSignposter") { _ in os_signpost(.event, log: .default, name: "a") },
    LimitCase("OSSignposter") { _ in os_signpost(.event, log: .default, name: "a", "%d", 1) },
  ]

  private static func find(_ entries: [CFString: Any]) {
    let query = [kSecClass: kSecClassGenericPassword as Any].merging(entries) { $1 }
    _ = SecItemCopyMatching(query as CFDictionary, nil)
  }

  private static let keychain: [LimitCase] = [
    LimitCase("SecItem", hasKeychain: false) { _ in find([:]) },
    LimitCase("kSecClass") { _ in find([kSecClass: kSecClassIdentity]) },
    LimitCase("kSecAttrAccessControl") { _ in find([kSecAttrAccessControl: 1]) },
    LimitCase("SecItemCopyMatching") { _ in find(["m_Policy": 1]) },
    LimitCase("kSecReturnRef") { _ in find([kSecReturnRef: true]) },
    LimitCase("kSecReturnRef") { _ in find([kSecReturnPersistentRef: true]) },
    LimitCase("kSecValueRef") { _ in find([kSecValueRef: 1]) },
    LimitCase("kSecValueRef") { _ in find([kSecValuePersistentRef: 1]) },
  ]
}
