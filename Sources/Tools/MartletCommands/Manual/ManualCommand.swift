import Foundation

/// `martlet man`: writes the manual pages.
struct ManualCommand: Command {
  static let name = "man"
  static let summary = "write the manual pages, one for martlet and one for each command"
  static let operand: Operand? = Operand(
    "DIR", .one, completion: .folders, help: "the folder to write them to, made when absent")

  private let folder: URL

  init(_ arguments: Arguments) throws {
    folder = URL(filePath: arguments.operands[0], directoryHint: .isDirectory)
  }

  func run(_ console: Console) async throws -> ExitCode {
    let pages = [ManualPage.overview] + CommandTable.commands.map(ManualPage.init)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for page in pages {
        try Data(page.text.utf8).write(to: folder.appending(path: page.fileName))
      }
    } catch {
      throw CommandFailure(
        "cannot write in \(folder.path(percentEncoded: false)); make it yours to write",
        cause: error)
    }
    return .success
  }
}
