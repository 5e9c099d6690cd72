import CCurl
import Foundation

/// A client over libcurl for one request at a time, which checks the server's address before it connects and does not
/// follow redirects.
package struct CurlClient: Sendable {
  /// An answer with any status.
  package struct Response: Sendable {
    package var status: Int
    /// The first bytes of the body, up to the request's limit.
    package var body: [UInt8]
  }

  /// The maximum time of a request in seconds.
  private static let seconds = 15

  /// Whether a private address may be connected to for a URL with this host.
  private let allowsPrivate: @Sendable (_ host: String, _ address: String) -> Bool

  package init(allowsPrivateAddress: Bool = false) {
    self.init { _, _ in allowsPrivateAddress }
  }

  /// Makes a client that asks for each private address whether it may connect.
  package init(
    allowsPrivate: @escaping @Sendable (_ host: String, _ address: String) -> Bool
  ) {
    self.allowsPrivate = allowsPrivate
  }

  /// Makes a request, which is a POST if it has a body, and else a GET.
  ///
  /// At most `limit` bytes of the answer's body are kept.
  ///
  /// - Throws: ``CurlError`` if there is no response, or the address is private.
  package func response(
    from url: String, fields: [(name: String, value: String)], posting body: [UInt8]? = nil,
    limit: Int = 0
  ) async throws -> Response {
    try await withCheckedThrowingContinuation { continuation in
      // Blocks on the network, so it must not run on a thread of the cooperative pool.
      let thread = Thread {
        continuation.resume(
          with: Result { try perform(url: url, fields: fields, body: body, limit: limit) })
      }
      thread.name = "martlet.request"
      thread.start()
    }
  }

  private func perform(
    url: String, fields: [(name: String, value: String)], body: [UInt8]?, limit: Int
  ) throws -> Response {
    guard let headers = CurlStringList(fields.map { "\($0.name): \($0.value)" }),
      let handle = unsafe curl_easy_init()
    else { throw CurlError(rawValue: CURLE_OUT_OF_MEMORY.rawValue) }
    let easy = unsafe handle
    defer { unsafe curl_easy_cleanup(easy) }
    let host = URL(string: url)?.host ?? ""
    let guardian = AddressGuard { [allowsPrivate] in allowsPrivate(host, $0) }
    let received = ReceivedBody(limit: limit)
    unsafe martlet_curl_set_string(easy, CURLOPT_URL, url)
    unsafe martlet_curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    unsafe martlet_curl_set_string(easy, CURLOPT_PROXY, "")
    unsafe martlet_curl_set_long(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    unsafe martlet_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    unsafe martlet_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    unsafe martlet_curl_set_long(easy, CURLOPT_TIMEOUT, Self.seconds)
    unsafe martlet_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers.first)
    unsafe martlet_curl_set_write(
      easy, receiveBody, Unmanaged.passUnretained(received).toOpaque())
    if let body {
      unsafe martlet_curl_set_long(easy, CURLOPT_POST, 1)
      unsafe martlet_curl_set_long(easy, CURLOPT_POSTFIELDSIZE, body.count)
      // libcurl copies the bytes, although the shim takes a mutable pointer.
      unsafe body.withUnsafeBytes {
        _ = unsafe martlet_curl_set_pointer(
          easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
    }
    unsafe guardian.install(on: easy)
    let result = unsafe curl_easy_perform(easy)
    let status = unsafe martlet_curl_status(easy)
    return try withExtendedLifetime((guardian, headers, received)) {
      guard result == CURLE_OK else { throw CurlError(rawValue: result.rawValue) }
      return Response(status: status, body: received.bytes)
    }
  }
}

/// The start of a body that is arriving; only the thread of its request uses it.
private final class ReceivedBody {
  private(set) var bytes: [UInt8] = []
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  func append(_ more: UnsafeRawBufferPointer) {
    unsafe bytes.append(contentsOf: more.prefix(limit - bytes.count))
  }
}

/// The callback `CURLOPT_WRITEFUNCTION`.
private func receiveBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  guard let context = unsafe context else { return 0 }
  let received = unsafe Unmanaged<ReceivedBody>.fromOpaque(context).takeUnretainedValue()
  unsafe received.append(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}
