import Foundation
@_spi(Host) import UserNotifications

/// A network that answers at once.
struct StubNetwork: URLNetwork {
  var headers: [String: String] = [:]
  let answer: @Sendable (URLRequest) -> (status: Int, body: Data)

  func load(
    _ request: URLRequest, timeout: TimeInterval,
    receive: @escaping @Sendable (URLLoadEvent) -> Void
  ) -> @Sendable () -> Void {
    let (status, body) = answer(request)
    if let url = request.url,
      let head = HTTPURLResponse(
        url: url, statusCode: status, httpVersion: nil, headerFields: headers)
    {
      receive(.response(head))
      receive(.data(body))
    }
    receive(.end(nil))
    return {}
  }

  func hold() -> @Sendable () -> Void { {} }
}
