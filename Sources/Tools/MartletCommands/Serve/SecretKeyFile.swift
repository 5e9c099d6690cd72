import Foundation
import PushModel
import PushServer

/// The file of the secret key that encrypts the apps' p8 keys, which the nodes of one store share.
///
/// It has 32 bytes. While the secret is rotated it has 64: the new secret, then the older one.
struct SecretKeyFile: Sendable {
  static let option = Option(
    "--secret-key-file", .file(),
    help: "the secret that encrypts the p8 keys in the store (default secret.key in the data"
      + " directory, made when absent)"
  ).inEnvironment

  /// The absolute path, or the path as given.
  let path: String

  init(_ arguments: Arguments, in data: DataDirectory) throws {
    path = try arguments[Self.option] ?? data.file("secret.key")
  }

  /// Reads the secret key, or creates it if the store has no encrypted value.
  ///
  /// The key is read again when the file changes; `log` is called with errors of that.
  func secretKey(
    for store: any PushStore, log: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> SecretKey {
    if try await existing(for: store) == nil {
      // If another process creates the file first, its secret is used.
      try PrivateFile(path).create(SecretKey.randomBytes())
    }
    guard let secrets = try read() else { throw missing }
    _ = try await store.claimSealMark((secrets.older ?? secrets.newest).mark)
    guard let secrets = try await existing(for: store) else { throw missing }
    if let mode = PrivateFile(path).modeForOthers {
      log(
        "other users may use the secret key \(path), whose mode is \(mode); run chmod 600 \(path), and"
          + " martlet secret-key rotate if they may have read it")
    }
    let watch = SecretKeyWatch(self, secrets, log: log)
    return SecretKey { watch.secrets }
  }

  /// The secrets in the file, which decrypt every key in the store; `nil` if neither a file nor an
  /// encrypted value exists.
  func existing(for store: any PushStore) async throws -> SecretKey.Secrets? {
    do {
      return try await fitting(store)
    } catch is CommandFailure {
      // Another process may have rotated the secret between reading the store and the file.
      return try await fitting(store)
    }
  }

  private func fitting(_ store: any PushStore) async throws -> SecretKey.Secrets? {
    let mark = try await store.sealMark()
    guard let secrets = try read() else {
      if mark != nil { throw missing }
      return nil
    }
    guard mark.map({ secrets.named(by: $0) != nil }) ?? true else {
      throw misfit("the store's values were sealed with another secret key")
    }
    let key = SecretKey { secrets }
    do {
      for app in try await store.apps() { _ = try key.privateKey(of: app) }
    } catch let error as SecretKey.Mismatch {
      throw misfit(error.description)
    }
    return secrets
  }

  /// The secrets in the file; `nil` if the file does not exist.
  func read() throws -> SecretKey.Secrets? {
    guard let bytes = try bytes() else { return nil }
    guard let secrets = SecretKey.Secrets(bytes) else {
      throw CommandFailure(
        "the secret key \(path) must be exactly \(Secret.length) random bytes, or twice as many while"
          + " it is rotated; restore it, or name another with \(Self.option.definition.name)")
    }
    return secrets
  }

  /// The file's bytes, up to one more than it may have; `nil` if the file does not exist.
  func bytes() throws -> [UInt8]? { try PrivateFile(path).read(upTo: 2 * Secret.length + 1) }

  private var missing: CommandFailure {
    CommandFailure(
      "the store has p8 keys that are encrypted with a secret key, but there is no \(path);"
        + " restore it, or name its place with \(Self.option.definition.name)")
  }

  private func misfit(_ reason: String) -> CommandFailure {
    CommandFailure(
      "the secret key in \(path) does not fit: \(reason); name the right file with"
        + " \(Self.option.definition.name), restore it, or copy it from the node where it was rotated"
    )
  }
}
