import PushPayload
import _HTTPServer

extension HTTPResponse {
  /// An answer with a JSON body, which no cache stores.
  static func json(
    status: Int = 200, _ value: JSONValue, headers: [(String, String)] = []
  ) -> HTTPResponse {
    json(status: status, bytes: value.bytes, headers: headers)
  }

  static func json(
    status: Int = 200, bytes: [UInt8], headers: [(String, String)] = []
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
      body: bytes)
  }
}
