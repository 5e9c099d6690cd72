import Testing
import _HTTPServer

@testable import PushServer

@Suite("Forms")
struct FormTests {
  @Test(
    "incomplete forms, forms without a boundary and forms over a limit are refused",
    arguments: [
      (
        "multipart/form-data; boundary=m",
        "--m\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"
      ),
      ("multipart/form-data; boundary=m", "--m\r\n\r\nx\r\n--m--"),
      ("multipart/form-data", "--m--"), ("multipart/form-data; boundary=m", ""),
      ("multipart/form-data; boundary=m", "--m"), ("text/plain", "a=b"),
      (
        "application/x-www-form-urlencoded",
        (0...Form.maximumFieldCount).map { "f\($0)=" }.joined(separator: "&")
      ),
      (
        "multipart/form-data; boundary=m",
        formOfFiles(Form.maximumFileCount + 1)
      ),
      (
        "application/x-www-form-urlencoded",
        "a=" + String(repeating: "x", count: Form.maximumFieldLength + 1)
      ),
    ])
  func broken(type: String, body: String) {
    #expect(throws: RequestError.self) {
      try Form(
        HTTPRequest(
          method: "POST", path: "/", headers: [(name: "Content-Type", value: type)],
          body: Array(body.utf8)))
    }
  }

  @Test("as many files as a form may have are read; a file field without a file is none")
  func files() throws {
    let form = try Form(
      HTTPRequest(
        method: "POST", path: "/",
        headers: [(name: "Content-Type", value: "multipart/form-data; boundary=m")],
        body: Array(formOfFiles(Form.maximumFileCount).utf8)))
    #expect(form.files.map(\.name) == (0..<16).map { "f\($0)" })
  }
}

/// A form with files and ten fields without one.
private func formOfFiles(_ count: Int) -> String {
  func part(_ name: String, _ file: String, _ content: String) -> String {
    "--m\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(file)\"\r\n\r\n\(content)\r\n"
  }
  return (0..<count).map { part("f\($0)", "a.png", "x") }.joined()
    + (0..<10).map { part("e\($0)", "", "") }.joined() + "--m--\r\n"
}
