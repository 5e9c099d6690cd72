import PushModel
import PushPayload
import Testing

@testable import PushServer

/// Every form of a text at every door through which devices come, and what the door says.
@Suite("Texts of devices by form and door", .timeLimit(.minutes(10)))
struct ImportMatrixTests {
  enum Door: CaseIterable, Sendable {
    case csv, lines, update, sync, user, oneSignal, airship

    /// What stands before and after the text.
    var frame: (before: String, after: String) {
      switch self {
      case .csv: ("token,os_name,user_id\naa01,iOS,", "\n")
      case .lines: (#"{"push_token":"aa01","user_id":""#, "\"}")
      case .update, .sync: (#"{"device":{"locale":""#, "\"}}")
      case .user: (#"{"user":{"custom":{"a":{"type":"string","value":""#, "\"}}}}")
      case .oneSignal: ("identifier,device_type,external_user_id\naa01,0,", "\n")
      case .airship:
        (#"{"channels":[{"device_type":"ios","push_address":"aa01","named_user_id":""#, "\"}]}")
      }
    }

    var isFile: Bool { ![.update, .sync, .user].contains(self) }
    var isCSV: Bool { [.csv, .oneSignal].contains(self) }
  }

  enum Form: CaseIterable, Sendable {
    case utf8, byteOrderMark, windows1252, latin1
    case utf16LittleEndianMarked, utf16BigEndianMarked, utf16LittleEndian, utf16BigEndian
    case cut, zero, gzip, empty

    /// The file or body of a door with a text in this form.
    func bytes(at door: Door) -> [UInt8] {
      let (before, after) = (Array(door.frame.before.utf8), Array(door.frame.after.utf8))
      let whole = door.frame.before + "Müller" + door.frame.after
      let text: [UInt8]
      switch self {
      case .utf8: return Array(whole.utf8)
      case .byteOrderMark: return [0xEF, 0xBB, 0xBF] + Array(whole.utf8)
      case .utf16LittleEndianMarked: return [0xFF, 0xFE] + Self.littleEndian(whole)
      case .utf16BigEndianMarked: return [0xFE, 0xFF] + Self.bigEndian(whole)
      case .utf16LittleEndian: return Self.littleEndian(whole)
      case .utf16BigEndian: return Self.bigEndian(whole)
      case .gzip: return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]
      case .empty: return []
      case .windows1252: text = [0x93, 0x68, 0x69, 0x94]
      case .latin1: text = [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72]
      case .cut: text = [0x4B, 0xC3]
      case .zero: text = door.isCSV ? [0x61, 0] : Array(#"a\u0000"#.utf8)
      }
      return before + text + after
    }

    private static func littleEndian(_ text: String) -> [UInt8] {
      text.utf16.reduce(into: []) { bytes, unit in
        bytes.append(UInt8(unit & 0xFF))
        bytes.append(UInt8(unit >> 8))
      }
    }

    private static func bigEndian(_ text: String) -> [UInt8] {
      text.utf16.reduce(into: []) { bytes, unit in
        bytes.append(UInt8(unit >> 8))
        bytes.append(UInt8(unit & 0xFF))
      }
    }

    /// The words of the refusal; `nil` where the text is taken.
    func words(at door: Door) -> String? {
      switch self {
      case .utf8, .byteOrderMark: nil
      case .windows1252: "it looks like Windows-1252: save"
      case .latin1: "it looks like Windows-1252 or Latin-1: save"
      case .utf16LittleEndianMarked, .utf16BigEndianMarked, .utf16LittleEndian, .utf16BigEndian:
        "is UTF-16, not UTF-8"
      case .cut: "a character is cut off"
      case .zero: "has the character U+0000, which cannot be stored; remove it"
      case .gzip: door.isFile ? "unpack it with gunzip" : "the body is compressed by gzip; send it"
      case .empty: door.isFile ? "the file is empty" : "ends where a value is missing"
      }
    }
  }

  @Test("the table has 84 cells: 7 doors and 12 forms")
  func count() { #expect(Door.allCases.count * Form.allCases.count == 84) }

  @Test(
    "a text is taken whole, or refused with what is wrong with it",
    arguments: Door.allCases, Form.allCases)
  func cell(door: Door, form: Form) async throws {
    let said = try await Self.problem(of: form.bytes(at: door), at: door)
    if let words = form.words(at: door) {
      #expect(said?.contains(words) == true, "\(said ?? "taken")")
    } else {
      #expect(said == nil)
    }
  }

  /// What a door says of a file or body; `nil` where it takes all of it.
  private static func problem(of bytes: [UInt8], at door: Door) async throws -> String? {
    switch door {
    case .oneSignal, .airship:
      do {
        let export = try VendorExport(bytes, of: door == .airship ? .airship : .oneSignal)
        return (export.rejected + export.losses).first?.error
      } catch { return (error as? RequestError)?.message }
    case .csv, .lines, .update, .sync, .user:
      let answer = await Self.answer(to: bytes, at: door, try await Fixture())
      let isTaken =
        answer.status == 200 && (answer.json["lines"] ?? answer.json["dropped"] ?? []) == []
      return isTaken ? nil : answer.text
    }
  }

  private static func answer(
    to bytes: [UInt8], at door: Door, _ fixture: Fixture
  ) async -> Fixture.Answer {
    func type(_ name: String) -> [(String, String)] { [("Content-Type", name)] }
    switch door {
    case .csv:
      return await fixture.request(
        "POST", "/v6/devices/import", role: .admin, bytes: bytes, headers: type("text/csv"))
    case .lines:
      return await fixture.request(
        "POST", "/v6/devices/import", role: .admin, bytes: bytes,
        headers: type(DeviceImport.linesType))
    case .sync:
      return await fixture.request(
        "POST", "/v6/devices/d/sync", role: .device, bytes: bytes,
        headers: type("application/json") + [(DeviceClaim.secretHeader, DeviceSecretTests.own)])
    default:
      return await fixture.request(
        "PUT", door == .user ? "/v6/users/u" : "/v6/devices/d", bytes: bytes,
        headers: type("application/json"))
    }
  }
}
