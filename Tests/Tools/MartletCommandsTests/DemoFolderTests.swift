import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The folder of martlet demo")
struct DemoFolderTests {
  private let directory = TemporaryFolder()

  private func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(
    "a new folder, an empty one and that of an earlier demo are emptied", arguments: ["new", "a b"])
  func own(name: String) throws {
    let folder = URL(filePath: directory.path(name), directoryHint: .isDirectory)
    try DemoWorld.empty(folder)
    #expect(try names(in: folder) == [".martlet-demo"])
    try Data().write(to: folder.appending(path: "journal.jsonl"))
    try DemoWorld.empty(folder)
    #expect(try names(in: folder) == [".martlet-demo"])
    try FileManager.default.removeItem(at: folder.appending(path: ".martlet-demo"))
    try DemoWorld.empty(folder)
    #expect(try names(in: folder) == [".martlet-demo"])
  }

  @Test(
    "a folder with other files stays as it is, whatever its name has",
    arguments: ["own", "a b", "50%"])
  func foreign(name: String) throws {
    let folder = URL(filePath: directory.path(name), directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: folder.appending(path: "letter.txt"))
    let failure = #expect(throws: CommandFailure.self) { try DemoWorld.empty(folder) }
    #expect(failure?.message.contains("has files that are not a demo's") == true)
    #expect(try names(in: folder) == ["letter.txt"])
  }

  @Test("a file stays as it is")
  func file() throws {
    let path = try directory.write("mine", to: "letter.txt")
    let failure = #expect(throws: CommandFailure.self) {
      try DemoWorld.empty(URL(filePath: path, directoryHint: .isDirectory))
    }
    #expect(failure?.message == "\(path) is not a folder; name another one with --data")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }
}
