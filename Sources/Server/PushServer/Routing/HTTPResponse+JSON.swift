import PushPayload
import _HTTPServer

extension HTTPResponse {
  /// The header with the number of unread messages, in every answer to a device.
  static let unreadHeader = "Martlet-Unread"

  /// An answer with a JSON body, which no cache stores.
  static func json(
    status: Int = 200, _ value: JSONValue, headers: [(String, String)] = []
  ) -> HTTPResponse {
    json(status: status, bytes: value.bytes, headers: headers)
  }

  /// A page of a list whose elements are already JSON.
  static func json(
    list name: String, _ elements: some Sequence<[UInt8]>, meta: JSONValue
  ) -> HTTPResponse {
    var bytes = Array("{\"\(name)\":[".utf8)
    for (place, element) in elements.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes += element
    }
    bytes += Array("],\"meta\":".utf8) + meta.bytes + Array("}".utf8)
    return json(bytes: bytes)
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
