import Foundation
import TestSupport
import Testing

@testable import MartletCommands

@Suite("Property lists in the old text form")
struct OldPropertyListTests {
  private func read(_ text: String) throws -> OldPropertyList {
    var parser = OldPropertyListParser(Array(text.utf8))
    return try parser.read()
  }

  @Test(
    "strings are read with and without quotation marks, and with every escape",
    arguments: [
      ("abc", "abc"), ("a/b.c-d_e$f:1", "a/b.c-d_e$f:1"), ("\"a b\"", "a b"), ("'a b'", "a b"),
      (#""a\"b\\c""#, #"a"b\c"#), (#""\n\t\r\a\b\f\v""#, "\n\t\r\u{7}\u{8}\u{c}\u{b}"),
      (#""\U00e9""#, "é"), (#""\101\7""#, "A\u{7}"), (#""\é""#, "é"), ("\"Café 天气\"", "Café 天气"),
      ("\"\"", ""), ("/* x */ a // y", "a"), ("\"/* no comment */\"", "/* no comment */"),
      ("\u{feff}a", "a"), ("http://a.b", "http://a.b"),
    ])
  func strings(text: String, value: String) throws {
    #expect(try read(text).string == value)
  }

  @Test("lists, dictionaries and data are read with the ranges of their bytes")
  func values() throws {
    let text = "{a = (1, \"b\" /* c */, ); d = {}; e = <0a FF>; f = (x, y)}"
    let list = try read(text.replacing("y)}", with: "y);}"))
    #expect(list["a"]?.strings == ["1", "b"] && list["a"]?.hasTrailingComma == true)
    #expect(list["d"]?.members?.isEmpty == true)
    guard case .data(let bytes)? = list["e"]?.content else { throw CocoaError(.coderInvalidValue) }
    #expect(bytes == [10, 255])
    #expect(list["f"]?.hasTrailingComma == false)
    let range = try #require(list["a"]?.range)
    #expect(String(Array(text)[range]) == "(1, \"b\" /* c */, )")
  }

  @Test(
    "what is malformed is refused with its line",
    arguments: [
      ("", "line 1: it ends too early"), ("{\na = 1\n}", "line 3: \";\" is missing"),
      ("{a 1;}", "\"=\" is missing"), ("(a b)", "\",\" is missing"), ("(a", "\",\" is missing"),
      ("(a,", "it ends too early"), ("\"a", "a string has no end"),
      ("/* a", "a comment has no end"),
      ("<0>", "half a byte"), ("<0g>", "not a digit"), ("<00", "data have no end"),
      ("{a = 1; a = 2;}", "the key \"a\" twice"), ("a b", "text after the end"),
      ("{a = ;}", "instead of a value"), ("bplist00", "XML or binary"),
      ("<?xml version=\"1.0\"?>", "XML or binary"),
    ])
  func malformed(text: String, words: String) {
    let error = #expect(throws: OldPropertyListError.self) { try read(text) }
    #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
  }

  @Test("bytes that are no UTF-8 are refused")
  func notUTF8() {
    var parser = OldPropertyListParser([0x22, 0xff, 0x22])
    #expect(throws: OldPropertyListError.self) { try parser.read() }
  }

  @Test("as many levels as are read, and one more", arguments: [0, 1])
  func depth(_ more: Int) {
    let count = OldPropertyList.maximumDepth - 1 + more
    let text = String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count)
    #expect(((try? read(text)) != nil) == (more == 0))
  }

  @Test("as many bytes as are read, and one more", arguments: [0, 1])
  func size(_ more: Int) {
    var bytes = [UInt8](repeating: 32, count: OldPropertyList.maximumBytes + more)
    bytes[0] = UInt8(ascii: "a")
    var parser = OldPropertyListParser(bytes)
    #expect(((try? parser.read()) != nil) == (more == 0))
  }

  @Test(
    "what is written is read as the same value",
    arguments: [
      "a", "", "a b", "é", "a-b", "\"", "\\", "a\nb\tc\r", "$(X)", "//", "a//b", "___", "*/",
      "App/Info.plist",
    ])
  func quoting(_ text: String) throws {
    for form in [
      XcodeValue.string(text).line, XcodeValue.string(text).text(indent: 2, newline: "\n"),
    ] {
      #expect(try read(form).string == text)
    }
    let comment = XcodeValue.reference("A", comment: text).line
    #expect(try read(comment).string == "A")
    let nested = XcodeValue.dictionary([(text, .array([.string(text), .dictionary([])]))])
    for form in [nested.line, nested.text(indent: 0, newline: "\r\n")] {
      #expect(try read(form)[text]?.array?.first?.string == text)
    }
  }

  private static let rounds = Tier.mutations(100, of: 300, cost: 10)

  @Test(
    "a mutated project is read or refused, and what is read can be edited",
    arguments: ["synchronized", "flutter"])
  func mutations(_ name: String) throws {
    let fixture = ProjectFixture.named(name)
    let good = try fixture.bytes
    var random = SeededGenerator(seed: 17)
    var (read, refused) = (0, 0)
    for _ in 0..<Self.rounds {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = .random(in: 0...255, using: &random)
        case 1: bytes[index] = "{}();=,\"\\/*<> ".utf8.randomElement(using: &random) ?? 0
        case 2: bytes.remove(at: index)
        default:
          let end = min(bytes.count, index + Int.random(in: 1...400, using: &random))
          bytes.insert(contentsOf: bytes[index..<end], at: index)
        }
      }
      if Int.random(in: 0..<8, using: &random) == 0 {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      guard let project = try? XcodeProject(bytes) else {
        refused += 1
        continue
      }
      read += 1
      guard let app = project.targets.first(where: { $0.name == fixture.app }),
        let editor = try? fixture.target().add(to: app, in: project)
      else { continue }
      #expect(throws: Never.self) { try XcodeProject(editor.bytes) }
    }
    #expect(read > 0 && refused > 0)
  }
}
