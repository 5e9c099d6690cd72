import PushModel
import PushPayload
import PushStore

/// `martlet database divide`: distributes the tables of a database with Citus among its servers.
struct DatabaseDivideCommand: Command {
  static let name = "database divide"
  static let summary = "divide a PostgreSQL database with Citus among its servers, by app"
  static let discussion = """
    Every row of an app is on one server then, and serve works as before. The tables are divided in
    one transaction, with their rows; a running serve waits for it. Run it again at any time: it does
    nothing, or divides the tables that a newer martlet has added. See docs/server/scaling.md.
    """
  static let options: [any CommandOption] = DataDirectory.Options.all + [CommonOptions.json]

  private let arguments: Arguments
  private let data: DataDirectory

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    data = try DataDirectory(arguments)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let result = try await data.divideDatabase(report: console.reportWait)
    if arguments[CommonOptions.json] {
      let answer: JSONValue = [
        "divided": .array(result.divided.map { .string($0) }),
        "copied": .array(result.copied.map { .string($0) }),
        "servers": .integer(Int64(result.servers)),
      ]
      console.print(answer.line)
    } else if result.divided.isEmpty, result.copied.isEmpty {
      console.print("nothing to do: every table is divided among \(result.servers) servers")
    } else {
      if !result.divided.isEmpty {
        console.print(
          "divided \(result.divided.count) tables among \(result.servers) servers by app: "
            + result.divided.joined(separator: ", "))
      }
      if !result.copied.isEmpty {
        console.print(
          "copied \(result.copied.count) tables to every server: "
            + result.copied.joined(separator: ", "))
      }
    }
    return .success
  }
}
