import CommonCrypto
import Foundation
import KeychainFixture
import NotificationHost
import NotificationHostTesting
import Security
import TestSupport
import Testing

@Suite("A key that the app stores and the extension reads", .timeLimit(.minutes(10)))
struct SharedKeyTests {
  static let group = "A1B2C3D4E5.com.example.shared"
  static let key = Data((0..<32).map { UInt8($0) })
  static let iv = [UInt8](repeating: 9, count: 16)
  static let executable = Bundle.main.executableURL?.deletingLastPathComponent()
    .appending(path: "KeychainExtension")

  /// A push whose body is encrypted with the key.
  private func push(group: String?) -> String {
    let text = Array("Your parcel is here".utf8)
    var output = [UInt8](repeating: 0, count: 32)
    var moved = 0
    CCCrypt(
      CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(kCCOptionPKCS7Padding),
      Array(Self.key), 32, Self.iv, text, text.count, &output, 32, &moved)
    let keys = group.map { #", "group": "\#($0)""# } ?? ""
    return """
      {"aps": {"alert": "A message", "mutable-content": 1}, "iv": "\(Data(Self.iv).base64EncodedString())",
        "text": "\(Data(output.prefix(moved)).base64EncodedString())"\(keys)}
      """
  }

  private func phone(
    isProcess: Bool = false, _ edit: (inout VirtualPhone.App) -> Void
  ) throws -> TestPhone {
    let program = try #require(Self.executable)
    return try TestPhone { app in
      if isProcess { app.process = ExtensionProcess(executable: program) }
      edit(&app)
    } makeExtension: {
      DecryptingService()
    }
  }

  @Test("decrypts, in the group that both have", arguments: [false, true])
  func shared(isProcess: Bool) async throws {
    let phone = try phone(isProcess: isProcess) { app in
      app.entitlements.appKeychainGroups = [Self.group]
      app.entitlements.extensionKeychainGroups = [Self.group]
    }
    let stored = await phone.host.runApp {
      KeyStore(accessGroup: Self.group)
        .save(Self.key, accessible: kSecAttrAccessibleAfterFirstUnlock)
    }
    #expect(stored == errSecSuccess)
    for group in [Self.group, nil] {
      try await phone.deliver(push(group: group))
        .expect(.displayed, body: "Your parcel is here")
    }
  }

  @Test("decrypts, in the app group")
  func appGroup() async throws {
    let folder = TemporaryFolder()
    let phone = try phone { app in
      (app.appGroup, app.appGroupIdentifier) = (folder.url, "group.com.example.app")
    }
    let store = KeyStore(accessGroup: "group.com.example.app")
    let stored = await phone.host.runApp {
      store.save(Self.key, accessible: kSecAttrAccessibleAfterFirstUnlock)
    }
    #expect(stored == errSecSuccess)
    try await phone.deliver(push(group: "group.com.example.app"))
      .expect(.displayed, body: "Your parcel is here")
  }

  @Test("is not found in the app's own group, and refused without the entitlement")
  func withoutEntitlement() async throws {
    let phone = try phone { $0.entitlements.appKeychainGroups = [Self.group] }
    let stored = await phone.host.runApp {
      KeyStore(accessGroup: nil).save(Self.key, accessible: kSecAttrAccessibleAfterFirstUnlock)
    }
    #expect(stored == errSecSuccess)
    try await phone.deliver(push(group: nil)).expect(.displayed, body: "status -25300")
    try await phone.deliver(push(group: Self.group)).expect(.displayed, body: "status -34018")
    let foreign = await phone.host.runApp {
      KeyStore(accessGroup: "group.other").save(Self.key, accessible: kSecAttrAccessibleAlways)
    }
    #expect(foreign == errSecMissingEntitlement)
  }

  static let locks: [(class: String, state: LockState, isOpen: Bool)] = [
    (kSecAttrAccessibleWhenUnlocked as String, .unlocked, true),
    (kSecAttrAccessibleWhenUnlocked as String, .locked, false),
    (kSecAttrAccessibleAfterFirstUnlock as String, .locked, true),
    (kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String, .locked, true),
    (kSecAttrAccessibleAfterFirstUnlock as String, .beforeFirstUnlock, false),
    (kSecAttrAccessibleAlways as String, .beforeFirstUnlock, true),
  ]

  @Test("is read in the states of the phone that its class opens", arguments: locks)
  func locked(lock: (class: String, state: LockState, isOpen: Bool)) async throws {
    let folder = TemporaryFolder()
    func phone(_ state: LockState, isProcess: Bool = false) throws -> TestPhone {
      try self.phone(isProcess: isProcess) { app in
        app.container = folder.url
        app.lockState = state
        app.entitlements.appKeychainGroups = [Self.group]
        app.entitlements.extensionKeychainGroups = [Self.group]
      }
    }
    let stored = try await phone(.unlocked).host.runApp {
      KeyStore(accessGroup: Self.group).save(Self.key, accessible: lock.class as CFString)
    }
    #expect(stored == errSecSuccess)
    for isProcess in [false, true] {
      try await phone(lock.state, isProcess: isProcess).deliver(push(group: Self.group))
        .expect(.displayed, body: lock.isOpen ? "Your parcel is here" : "status -25308")
    }
  }

  @Test("has no keychain outside of a phone, and one of its own on each phone")
  func phones() async throws {
    #expect(KeyStore(accessGroup: nil).read().status == errSecNotAvailable)
    let phones = try [phone { _ in }, phone { _ in }]
    let stored = await phones[0].host.runApp {
      KeyStore(accessGroup: nil).save(Self.key, accessible: kSecAttrAccessibleAlways)
    }
    #expect(stored == errSecSuccess)
    let read = await phones[1].host.runApp { KeyStore(accessGroup: nil).read().status }
    #expect(read == errSecItemNotFound)
  }
}
