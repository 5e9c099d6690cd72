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
        "application/x-www-form-urlencoded",
        "a=" + String(repeating: "x", count: Form.maximumFieldLength + 1)
      ),
    ])
  func broken(type: String, body: String) {
    #expect(throws: APIError.self) {
      try Form(
        HTTPRequest(
          method: "POST", path: "/", headers: [(name: "Content-Type", value: type)],
          body: Array(body.utf8)))
    }
  }
}
