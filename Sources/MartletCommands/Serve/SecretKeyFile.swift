import Foundation
import PushServer
import PushStore

/// The file with the secret key that encrypts the apps' p8 keys; the nodes of one store share it.
struct SecretKeyFile: Sendable {
  static let option = Option(
    "--secret-key-file", .file(),
    help: "the secret that encrypts the p8 keys in the store (default secret.key in the data"
      + " directory, made when absent)"
  ).inEnvironment

  let path: String

  init(_ arguments: Arguments, in data: DataDirectory) throws {
    path = try arguments[Self.option] ?? data.file("secret.key")
  }

  /// Reads the secret key, or makes it where the store has no encrypted key; then encrypts keys
  /// that a store of an early version has in the clear.
  func secretKey(for store: any PushStore) async throws -> SecretKey {
    if try await existing(for: store) == nil {
      // Where another process makes the file first, its secret is used.
      try PrivateFile(path).create(SecretKey.randomBytes())
    }
    guard let secretKey = try await existing(for: store) else { throw missing }
    try await secretKey.sealClearKeys(in: store)
    return secretKey
  }

  /// The secret key in the file, which decrypts every key in the store; `nil` where there is
  /// neither a file nor an encrypted key.
  func existing(for store: any PushStore) async throws -> SecretKey? {
    let apps = try await store.apps()
    guard let secretKey = try read() else {
      if apps.contains(where: SecretKey.hasSealed) { throw missing }
      return nil
    }
    do {
      for app in apps { _ = try secretKey.privateKey(of: app) }
    } catch {
      throw CommandFailure(
        "the secret key in \(path) does not fit: \(error); name the right file with"
          + " \(Self.option.definition.name), or restore it")
    }
    return secretKey
  }

  /// The secret key in the file; `nil` where there is no file.
  func read() throws -> SecretKey? {
    guard let bytes = try PrivateFile(path).read(upTo: SecretKey.length + 1) else { return nil }
    guard let secretKey = SecretKey(bytes) else {
      throw CommandFailure(
        "the secret key \(path) must be exactly \(SecretKey.length) random bytes; restore it,"
          + " or name another with \(Self.option.definition.name)")
    }
    return secretKey
  }

  private var missing: CommandFailure {
    CommandFailure(
      "the store has p8 keys that are encrypted with a secret key, but there is no \(path);"
        + " restore it, or name its place with \(Self.option.definition.name)")
  }
}
