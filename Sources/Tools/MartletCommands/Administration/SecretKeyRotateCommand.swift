import PushModel
import PushPayload
import PushServer

/// `martlet secret-key rotate`: replaces the secret that encrypts the store's values.
struct SecretKeyRotateCommand: Command {
  static let name = "secret-key rotate"
  static let summary = "replace the secret that encrypts the p8 keys in the store"
  static let discussion = """
    Makes a new secret, encrypts every p8 key and webhook secret of the store anew and removes the old
    secret from its file; also beside a running serve, which takes the new one at once. Users of the
    dashboard have to sign in again. Run it again where it was interrupted, and it finishes.

    Nodes of a PostgreSQL database each have the file, so there it takes two runs. The first adds the
    new secret to the file: copy the file to every node. The second, on the same node, does the rest:
    copy the file again. See docs/server/operations.md.
    """
  static let options: [any CommandOption] =
    DataDirectory.Options.all + [SecretKeyFile.option, CommonOptions.json]

  private let arguments: Arguments
  private let data: DataDirectory
  private let file: SecretKeyFile

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    data = try DataDirectory(arguments)
    file = try SecretKeyFile(arguments, in: data)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let store = try await data.openStore(for: console)
    guard let lock = try StoreLock(path: file.path + ".lock") else {
      throw CommandFailure("another martlet secret-key rotate changes \(file.path); wait for it")
    }
    guard try await file.existing(for: store) != nil, try await store.sealMark() != nil else {
      throw CommandFailure(
        "there is nothing to rotate: the store has no encrypted value yet; martlet serve makes"
          + " \(file.path)")
    }
    // Only one machine uses a SQLite file, and every serve on it reads this secret key file.
    let isShared = data.database == nil
    let result = try await SecretRotation(file: file, store: store)
      .run(pausesAfterAdding: isShared)
    withExtendedLifetime(lock) {}
    if arguments[CommonOptions.json] {
      let answer: JSONValue = [
        "state": .string(result.last == .add ? "added" : "rotated"), "file": .string(file.path),
        "values": .integer(Int64(result.values)),
      ]
      console.print(answer.line)
    } else if result.last == .add {
      console.print("added a new secret to \(file.path)")
      console.print("copy it to every node, then run martlet secret-key rotate here again")
    } else {
      console.print("rotated \(file.path); \(result.values) values were encrypted anew")
      console.print("users of the dashboard have to sign in again")
      if isShared { console.print("copy it to every node") }
    }
    return .success
  }
}
