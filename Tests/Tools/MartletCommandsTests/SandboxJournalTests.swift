import Foundation
import PushPayload
import Synchronization
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The journal of the sandbox")
struct SandboxJournalTests {
  private let folder = TemporaryFolder()
  private static let lines = (1...3).map { #"{"connection":\#($0),"stream":1,"token":"0a"}"# }

  private static func connections(_ bytes: Data) -> (requests: [Int64], damaged: [Int]) {
    let (requests, damaged) = SandboxJournal.read(bytes)
    return (requests.compactMap { $0["connection"]?.integer }, damaged)
  }

  @Test(
    "a damaged line is named by its number, and the others are read",
    arguments: [
      ("", [2]), ("{", [2]), ("[]", [2]), ("5", [2]), (#"{"connection":2}"#, [2]),
      (#"{"connection":"2","stream":1}"#, [2]), (lines[1] + lines[1], [2]), ("\u{0}", [2]),
      (lines[1], []), (#"{"connection":2,"stream":1,"later":true}"#, []),
    ])
  func damaged(line: String, damaged: [Int]) {
    let text = [Self.lines[0], line, Self.lines[2], ""].joined(separator: "\n")
    let read = Self.connections(Data(text.utf8))
    #expect(read.damaged == damaged)
    #expect(read.requests == (damaged.isEmpty ? [1, 2, 3] : [1, 3]))
  }

  @Test("the fate of a push to a phone that is offline is no request, and no damage")
  func fate() {
    let fate = #"{"connection":1,"stream":1,"delivery":"stored"}"#
    let read = Self.connections(Data([Self.lines[0], fate, ""].joined(separator: "\n").utf8))
    #expect(read.requests == [1] && read.damaged.isEmpty)
  }

  @Test("of a journal that is cut off anywhere the whole lines are read")
  func cuts() {
    let bytes = Data(Self.lines.map { $0 + "\n" }.joined().utf8)
    let length = bytes.count / 3
    for end in 0...bytes.count {
      let read = Self.connections(bytes.prefix(end))
      #expect(read.requests == [1, 2, 3].prefix(end / length).map(Int64.init))
      #expect(read.damaged.isEmpty)
    }
  }

  @Test(
    "a journal that ends inside a line goes on in the next one",
    arguments: [
      ("", [], []), ("LINE\n", [1], []), ("LINE", [1], []), ("{\"conn", [], [1]),
      ("LINE\n{", [1], [2]),
    ] as [(String, [Int64], [Int])])
  func torn(start: String, requests: [Int64], damaged: [Int]) throws {
    let path = folder.path("journal.jsonl")
    let url = URL(fileURLWithPath: path)
    try Data(start.replacing("LINE", with: Self.lines[0]).utf8).write(to: url)
    let lines = Lines()
    let journal = try SandboxJournal(path) { line in lines.errors.withLock { $0.append(line) } }
    for line in Self.lines.dropFirst() { journal.add(line) }
    let read = Self.connections(try Data(contentsOf: url))
    #expect(read.requests == requests + [2, 3] && read.damaged == damaged)
    #expect(lines.errors.withLock { $0 }.isEmpty)
  }

  @Test("a journal that cannot be opened is named")
  func noFolder() {
    let error = #expect(throws: CommandFailure.self) {
      try SandboxJournal(folder.path("none/journal.jsonl")) { _ in }
    }
    #expect(error?.message.contains("none/journal.jsonl") == true)
  }
}
