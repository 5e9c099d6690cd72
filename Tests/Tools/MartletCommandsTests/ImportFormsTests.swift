import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

/// What `martlet devices import` says of a file that is not text in UTF-8, for each service.
@Suite("Forms of files that martlet devices import reads", .timeLimit(.minutes(5)))
struct ImportFormsTests {
  enum Form: CaseIterable, Sendable {
    case utf8, byteOrderMark, windows1252, latin1, utf16, utf16Unmarked, cut, zero, gzip, excel
    case empty

    /// The words of the refusal; `nil` where the file is imported.
    var words: String? {
      switch self {
      case .utf8, .byteOrderMark: nil
      case .windows1252: "looks like Windows-1252:"
      case .latin1: "looks like Windows-1252 or Latin-1:"
      case .utf16, .utf16Unmarked: "is UTF-16, not UTF-8"
      case .cut: "a character is cut off"
      case .zero: "U+0000"
      case .gzip: "gunzip"
      case .excel: "an Excel workbook"
      case .empty: "the file is empty"
      }
    }

    func bytes(from source: DevicesImportCommand.Source) -> [UInt8] {
      let (before, after) =
        switch source {
        case .onesignal: ("identifier,device_type,external_user_id\naa01,0,", "\n")
        case .airship:
          (#"{"channels":[{"device_type":"ios","push_address":"aa01","named_user_id":""#, "\"}]}")
        case .martlet, .sailthru: ("token,os_name,user_id\naa01,iOS,", "\n")
        }
      let whole = Array((before + "Muller" + after).utf8)
      let text: [UInt8]
      switch self {
      case .utf8: text = Array("Müller".utf8)
      case .byteOrderMark: return [0xEF, 0xBB, 0xBF] + whole
      case .windows1252: text = [0x93, 0x68, 0x69, 0x94]
      case .latin1: text = [0x4D, 0xFC, 0x6C]
      case .utf16: return [0xFF, 0xFE] + whole.flatMap { [$0, 0] }
      case .utf16Unmarked: return whole.flatMap { [0, $0] }
      case .cut: text = [0x4B, 0xC3]
      case .zero: text = source == .airship ? Array(#"a\u0000"#.utf8) : [0x61, 0]
      case .gzip: return [0x1F, 0x8B, 8, 0]
      case .excel: return Array("PK\u{3}\u{4}".utf8)
      case .empty: return []
      }
      return Array(before.utf8) + text + Array(after.utf8)
    }
  }

  @Test(
    "a file is imported whole, or refused with what is wrong with it",
    arguments: DevicesImportCommand.Source.allCases, Form.allCases)
  func forms(source: DevicesImportCommand.Source, form: Form) async throws {
    let directory = TemporaryFolder()
    let data = directory.path("data")
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    let apps = ServeConsole()
    let made = await apps.run([
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--data", data, "--json",
    ])
    #expect(made == .success, "\(apps.errors)")
    let app = try #require(JSONValue(parsing: apps.output.joined())["id"]?.string)
    let file = try directory.write(form.bytes(from: source), to: "devices")
    let console = ServeConsole()
    let code = await console.run([
      "devices", "import", "--from", source.rawValue, "--app", app, file.path, "--data", data,
    ])
    #expect(code == (form.words == nil ? .success : .failure))
    if let words = form.words {
      #expect(console.errors.first?.contains(words) == true, "\(console.errors)")
    } else {
      #expect(console.output == ["1 devices accepted, 0 rows rejected"])
    }
  }
}
