import Foundation

extension URLRequest {
  /// The request that follows a redirect; `nil` if the response is not a redirect.
  ///
  /// As in the Fetch standard (HTTP-redirect fetch), 303 turns every method except `HEAD` into `GET`, and 301 and 302 turn
  /// `POST` into `GET`. 307 and 308 keep the method and the body. `Authorization` is never sent on: Apple's loading
  /// system removes it even if the host stays the same (observed by Alamofire's authors, issues 798 and 1850).
  func redirected(by response: HTTPURLResponse) -> URLRequest? {
    guard [301, 302, 303, 307, 308].contains(response.statusCode),
      let location = response.value(forHTTPHeaderField: "Location"),
      let target = URL(string: location, relativeTo: response.url)?.absoluteURL
    else { return nil }
    var next = self
    next.url = target
    next.setValue(nil, forHTTPHeaderField: "Authorization")
    let method = (httpMethod ?? "GET").uppercased()
    let becomesGet =
      response.statusCode == 303
      ? !["GET", "HEAD"].contains(method) : response.statusCode < 303 && method == "POST"
    guard becomesGet else { return next }
    next.httpMethod = "GET"
    next.httpBody = nil
    for name in ["Content-Type", "Content-Length", "Content-Encoding", "Content-Language"] {
      next.setValue(nil, forHTTPHeaderField: name)
    }
    return next
  }
}
