import Foundation
import PushServer
import PushStore

/// The file with the secret that seals the apps' p8 keys; the nodes of one store share it.
struct SecretKeyFile: Sendable {
  static let option = Option(
    "--secret-key-file", "FILE",
    help: "encrypts the p8 keys in the store (secret.key in the data DIR, made when absent)")

  let path: String

  init(_ arguments: Arguments, in data: DataDirectory) {
    path = arguments.value(Self.option.name) ?? data.file("secret.key")
  }

  /// Reads the secret, or makes it where no key was ever sealed; then seals what a store of the
  /// first versions holds in the clear.
  func secretKey(for store: any PushStore) async throws -> SecretKey {
    if try await existing(for: store) == nil {
      // Where another process is faster, its secret is the one.
      try PrivateFile(path).create(SecretKey.randomBytes())
    }
    guard let secretKey = try await existing(for: store) else { throw missing }
    try await secretKey.sealClearKeys(in: store)
    return secretKey
  }

  /// The secret in the file, which opens every key in the store; `nil` where neither has one.
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
          + " \(Self.option.name), or restore it")
    }
    return secretKey
  }

  /// `nil` where there is no file.
  func read() throws -> SecretKey? {
    guard let bytes = try PrivateFile(path).read(upTo: SecretKey.length + 1) else { return nil }
    guard let secretKey = SecretKey(bytes) else {
      throw CommandFailure(
        "the secret key \(path) must be \(SecretKey.length) random bytes and no more; restore it,"
          + " or name another with \(Self.option.name)")
    }
    return secretKey
  }

  private var missing: CommandFailure {
    CommandFailure(
      "the store has p8 keys that are sealed with a secret key, and \(path) is not there;"
        + " restore it, or name where it is with \(Self.option.name)")
  }
}
