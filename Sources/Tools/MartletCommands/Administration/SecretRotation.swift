import Foundation
import PushModel
import PushServer

/// The replacement of a store's secret, in three steps that are each atomic and durable.
///
/// The file and the store together determine the next step, so the next rotation finishes an interrupted
/// one. At any time, the file has the secret of every value in the store.
struct SecretRotation {
  enum Step: Hashable, CaseIterable, Sendable {
    /// Adds a new secret to the file before the one in use.
    case add
    /// Seals every value of the store with the new secret, in one transaction.
    case reseal
    /// Removes the older secret from the file.
    case remove
  }

  let file: SecretKeyFile
  let store: any PushStore
  /// The closure that is called after each step; if it throws an error, the rotation ends there.
  var afterStep: (Step) throws -> Void = { _ in }

  /// The next step; `nil` if the store's values are sealed with a secret that is not in the file.
  static func next(_ secrets: SecretKey.Secrets, mark: [UInt8]) -> Step? {
    guard let older = secrets.older else { return mark == secrets.newest.mark ? .add : nil }
    if mark == older.mark { return .reseal }
    return mark == secrets.newest.mark ? .remove : nil
  }

  /// Takes the remaining steps.
  ///
  /// - Parameter pausesAfterAdding: Whether to end after ``Step/add``, so that the file can be copied
  ///   to other nodes.
  /// - Returns: The last step, and the number of values that were sealed again.
  /// - Throws: ``StoreError`` if a value cannot be decrypted, ``CommandFailure`` if the file cannot be
  ///   written or does not belong to the store.
  func run(pausesAfterAdding: Bool) async throws -> (last: Step, values: Int) {
    var values = 0
    while true {
      guard let bytes = try file.bytes(), let secrets = SecretKey.Secrets(bytes),
        let mark = try await store.sealMark(), let step = Self.next(secrets, mark: mark)
      else { throw CommandFailure("\(file.path) was changed meanwhile; run the command again") }
      switch step {
      case .add: try write(SecretKey.randomBytes() + bytes)
      case .reseal: values = try await reseal(bytes, secrets)
      case .remove: try write(Array(bytes.prefix(Secret.length)))
      }
      try afterStep(step)
      if step == .remove || (step == .add && pausesAfterAdding) { return (step, values) }
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    // A link stays one, since the file that it names must lose the old secret.
    try PrivateFile(URL(filePath: file.path).resolvingSymlinksInPath().path)
      .replace(bytes, keepingAccess: true)
  }

  private func reseal(_ bytes: [UInt8], _ secrets: SecretKey.Secrets) async throws -> Int {
    guard let newer = SecretKey(Array(bytes.prefix(Secret.length))),
      let older = SecretKey(Array(bytes.dropFirst(Secret.length))),
      let oldMark = secrets.older?.mark
    else { return 0 }
    let mark = secrets.newest.mark
    let recording = store.traced("secret_key.rotate", nil)
    return try await recording.reseal(from: oldMark, to: mark) { value throws(StoreError) in
      do throws(SecretKey.Mismatch) {
        return try older.reseal(value, with: newer)
      } catch {
        throw StoreError(
          .failed,
          "\(error.sentence), so nothing was rotated; set the app's p8 key again, delete the webhook, or turn the"
            + " second factor off with martlet accounts reset EMAIL --second-factor")
      }
    }
  }
}
