import PushPayload
import Testing

@testable import PushServer

@Suite("Reading a form with a file while it arrives")
struct FormStreamTests {
  private static let form =
    "--mark\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n"
    + "--mark\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n"
    + "Content-Type: text/csv\r\n\r\nx,y\r\n1,2\r\n--mar\r\n\r\n--mark--\r\n"

  /// The fields and files of a form that arrives in pieces of a size.
  private static func read(
    _ form: String, by size: Int
  ) throws -> (parts: [String], isComplete: Bool) {
    var stream = FormStream(boundary: "mark")
    var parts: [String] = []
    let bytes = Array(form.utf8)
    for start in stride(from: 0, to: bytes.count, by: size) {
      for event in try stream.read(Array(bytes[start..<min(bytes.count, start + size)])) {
        switch event {
        case .field(let name, let value): parts.append("\(name)=\(value)")
        case .file(let name, let fileName): parts.append("\(name):\(fileName):")
        case .bytes(let bytes): parts[parts.count - 1] += String(decoding: bytes, as: UTF8.self)
        case .end: break
        }
      }
    }
    return (parts, stream.isComplete)
  }

  @Test("its parts are the same however it is divided")
  func pieces() throws {
    for size in 1...Self.form.utf8.count {
      let (parts, isComplete) = try Self.read(Self.form, by: size)
      #expect(parts == ["token=abc", "file:a.csv:x,y\r\n1,2\r\n--mar\r\n"], "\(size)")
      #expect(isComplete)
    }
  }

  @Test("a form that is cut is not complete")
  func cut() throws {
    // The line break after the last delimiter does not matter.
    for length in 0..<(Self.form.utf8.count - 2) {
      let cut = String(decoding: Array(Self.form.utf8.prefix(length)), as: UTF8.self)
      #expect(try Self.read(cut, by: 7).isComplete == false, "\(length)")
    }
  }

  @Test(
    "what is no form is refused",
    arguments: [
      "nonsense that is long enough", "--mark??\r\n", "--mark\r\nX: y\r\n\r\nz\r\n--mark--",
    ])
  func malformed(_ form: String) {
    #expect(throws: RequestError.self) { _ = try Self.read(form, by: 5) }
  }

  @Test("a field and the head of a part have limits")
  func limits() throws {
    func field(_ count: Int) -> String {
      "--mark\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n"
        + String(repeating: "x", count: count) + "\r\n--mark--\r\n"
    }
    for size in [1000, 1 << 20] {
      #expect(try Self.read(field(FormStream.fieldLimit), by: size).isComplete)
      #expect(throws: RequestError.self) {
        _ = try Self.read(field(FormStream.fieldLimit + 1), by: size)
      }
      let head = "--mark\r\n" + String(repeating: "x", count: 8192)
      #expect(throws: RequestError.self) { _ = try Self.read(head, by: size) }
    }
  }
}
