import CCurl
import Foundation

/// A poster that uses libcurl, checks the server's address before it connects, and ignores the response's
/// body.
package struct CurlPoster: Sendable {
  /// The maximum time of a request in seconds.
  private static let seconds = 15

  /// Whether a private address may be connected to for a URL with that host.
  private let allowsPrivate: @Sendable (_ host: String, _ address: String) -> Bool

  package init(allowsPrivateAddress: Bool = false) {
    self.init { _, _ in allowsPrivateAddress }
  }

  /// Makes a poster that asks for each private address whether it may connect.
  package init(
    allowsPrivate: @escaping @Sendable (_ host: String, _ address: String) -> Bool
  ) {
    self.allowsPrivate = allowsPrivate
  }

  /// Posts a body.
  ///
  /// - Returns: The response's status.
  /// - Throws: ``CurlError`` if there is no response, or the address is private.
  package func post(
    _ body: [UInt8], to url: String, fields: [(name: String, value: String)]
  ) async throws -> Int {
    try await withCheckedThrowingContinuation { continuation in
      // Blocks on the network, so it must not run on a thread of the cooperative pool.
      let thread = Thread {
        continuation.resume(with: Result { try perform(body, to: url, fields: fields) })
      }
      thread.name = "martlet.post"
      thread.start()
    }
  }

  private func perform(
    _ body: [UInt8], to url: String, fields: [(name: String, value: String)]
  ) throws -> Int {
    guard let headers = CurlStringList(fields.map { "\($0.name): \($0.value)" }),
      let handle = unsafe curl_easy_init()
    else { throw CurlError(rawValue: CURLE_OUT_OF_MEMORY.rawValue) }
    let easy = unsafe handle
    defer { unsafe curl_easy_cleanup(easy) }
    let host = URL(string: url)?.host ?? ""
    let guardian = AddressGuard { [allowsPrivate] in allowsPrivate(host, $0) }
    unsafe martlet_curl_set_string(easy, CURLOPT_URL, url)
    unsafe martlet_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    unsafe martlet_curl_set_string(easy, CURLOPT_PROXY, "")
    unsafe martlet_curl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    unsafe martlet_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    unsafe martlet_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    unsafe martlet_curl_set_long(easy, CURLOPT_TIMEOUT, Self.seconds)
    unsafe martlet_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers.first)
    unsafe martlet_curl_set_write(easy, dropBody, nil)
    unsafe martlet_curl_set_long(easy, CURLOPT_POST, 1)
    unsafe martlet_curl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count)
    // libcurl copies the bytes, although the shim takes a mutable pointer.
    unsafe body.withUnsafeBytes {
      _ = unsafe martlet_curl_set_pointer(
        easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
    unsafe guardian.install(on: easy)
    let result = unsafe curl_easy_perform(easy)
    let status = unsafe martlet_curl_status(easy)
    return try withExtendedLifetime((guardian, headers)) {
      guard result == CURLE_OK else { throw CurlError(rawValue: result.rawValue) }
      return status
    }
  }
}

private func dropBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int { size * count }
