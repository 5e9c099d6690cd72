import Foundation
import Synchronization
import Testing
import _OpenSSLCrypto

@testable import PushCrypto

@Suite("The keychain item with the device's keys")
struct DeviceKeyStoreTests {
  /// A keychain that has items, or returns a status that a test sets.
  final class FakeKeychain: Keychain {
    struct State {
      var items: [KeychainItem: Data] = [:]
      var calls: [String] = []
      /// The status of a function, in place of what it would do.
      var statuses: [String: Int32] = [:]
    }

    let state = Mutex(State())

    private func call(_ name: String, _ body: (inout State) -> Int32) -> Int32 {
      state.withLock { state in
        state.calls.append(name)
        return state.statuses[name] ?? body(&state)
      }
    }

    func read(_ item: KeychainItem) -> (status: Int32, data: Data?) {
      let data = state.withLock { $0.items[item] }
      return (call("read") { _ in data == nil ? -25300 : 0 }, data)
    }

    func add(_ data: Data, as item: KeychainItem) -> Int32 {
      call("add") { state in
        guard state.items[item] == nil else { return -25299 }
        state.items[item] = data
        return 0
      }
    }

    func update(_ item: KeychainItem, with data: Data) -> Int32 {
      call("update") { $0.items.updateValue(data, forKey: item) == nil ? -25300 : 0 }
    }

    func delete(_ item: KeychainItem) -> Int32 {
      call("delete") { $0.items.removeValue(forKey: item) == nil ? -25300 : 0 }
    }
  }

  static let item = KeychainItem(service: "s", account: "a", accessGroup: "group.example")

  let keychain = FakeKeychain()
  var store: DeviceKeyStore { DeviceKeyStore(Self.item, keychain: keychain) }

  @Test("has no keys until they are saved, and none after they are deleted")
  func life() throws {
    #expect(try store.read() == nil)
    let keys = try DeviceKeys.generate(with: provider)
    try store.save(keys)
    #expect(try store.read() == keys)
    try store.delete()
    #expect(try store.read() == nil)
    try store.delete()
  }

  @Test("new keys replace those that are saved")
  func replaced() throws {
    try store.save(DeviceKeys.generate(with: provider))
    let keys = try DeviceKeys.generate(with: provider)
    try store.save(keys)
    #expect(try store.read() == keys)
    #expect(keychain.state.withLock { $0.calls } == ["add", "add", "update", "read"])
  }

  @Test("keys of another access group are other keys")
  func group() throws {
    try store.save(DeviceKeys.generate(with: provider))
    let other = KeychainItem(service: "s", account: "a", accessGroup: nil)
    #expect(try DeviceKeyStore(other, keychain: keychain).read() == nil)
  }

  private func error(of name: String, status: Int32) throws -> KeychainError {
    keychain.state.withLock { $0.statuses[name] = status }
    let keys = try DeviceKeys.generate(with: provider)
    let error = #expect(throws: KeychainError.self) {
      switch name {
      case "read": _ = try store.read()
      case "delete": try store.delete()
      default: try store.save(keys)
      }
    }
    return try #require(error)
  }

  @Test(
    "a status is an error that says what to do",
    arguments: ["read", "add", "delete"],
    [
      (-34018, "missing-entitlement", "keychain-access-groups"), (-25308, "locked", "unlocked"),
      (-25293, "failed", "-25293"), (-50, "failed", "-50"),
    ] as [(Int32, String, String)])
  func status(name: String, expected: (status: Int32, code: String, advice: String)) throws {
    let error = try error(of: name, status: expected.status)
    #expect(error.status == expected.status)
    #expect("\(error.code)" == expected.code)
    #expect(error.message.contains(expected.advice) && "\(error)" == error.message)
    let function = ["read": "SecItemCopyMatching", "add": "SecItemAdd", "delete": "SecItemDelete"]
    #expect(error.message.hasPrefix(try #require(function[name])))
  }

  @Test("a failed update is an error of the update")
  func update() throws {
    try store.save(DeviceKeys.generate(with: provider))
    #expect(try error(of: "update", status: -25308).message.hasPrefix("SecItemUpdate"))
  }

  @Test(
    "an item that is not keys is malformed, and its error does not show it",
    arguments: ["", "secret", #"{"private_key":"secret"}"#])
  func malformed(text: String) throws {
    keychain.state.withLock { $0.items[Self.item] = Data(text.utf8) }
    let error = #expect(throws: KeychainError.self) { try store.read() }
    #expect(error?.code == .malformed)
    #expect(error?.message.contains("secret") == false)
  }
}
