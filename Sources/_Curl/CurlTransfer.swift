import CCurl
import Foundation
import MediaLoading

/// One easy handle and the sink it feeds; used by the loop's thread alone.
@safe final class CurlTransfer {
  let number: UInt64
  let easy: UnsafeMutableRawPointer
  let sink: any MediaSink
  private let headers: CurlStringList
  private let hosts: CurlStringList
  private let guardian: AddressGuard
  private var parser = ResponseHeadParser()
  /// What this side ended the transfer for; libcurl then only says that a callback did.
  private var ownError: MediaLoadError?
  private var hasHead = false

  init?(
    _ number: UInt64, _ request: MediaRequest, _ sink: any MediaSink,
    _ configuration: CurlLoop.Configuration
  ) {
    // To libcurl `Name:` means "leave it out"; a field without a value is written `Name;`.
    let lines = request.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    guard let headers = CurlStringList(lines),
      let hosts = CurlStringList(configuration.hostLines(for: request.url)),
      let easy = unsafe curl_easy_init()
    else { return nil }
    self.number = number
    unsafe self.easy = easy
    self.sink = sink
    self.headers = headers
    self.hosts = hosts
    guardian = AddressGuard(allowsPrivate: request.allowsPrivateAddress)
    set(CURLOPT_URL, request.url.absoluteString)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    // The environment's proxy would see the URL, and hide the server's address.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT, 15)
    set(CURLOPT_BUFFERSIZE, 262_144)
    if let caFile = configuration.caFile { set(CURLOPT_CAINFO, caFile) }
    unsafe martlet_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers.first)
    unsafe martlet_curl_set_pointer(easy, CURLOPT_RESOLVE, hosts.first)
    // Unretained: the loop keeps this object until the handle is removed from the multi handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_header(easy, receiveLine, context)
    unsafe martlet_curl_set_write(easy, receiveBody, context)
    unsafe guardian.watch(easy)
  }

  deinit { unsafe curl_easy_cleanup(easy) }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe martlet_curl_set_long(easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe martlet_curl_set_string(easy, option, value)
  }

  /// - Returns: Whether to go on.
  fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
    switch unsafe parser.on(line) {
    case .none: break
    case .announce(let head):
      hasHead = true
      if sink.receive(head) == .stop {
        ownError = MediaLoadError(.refused, "the sink refused")
      }
    case .fail:
      ownError = MediaLoadError(
        .network, "the server sends header fields too many, too long or without sense")
    }
    return ownError == nil
  }

  /// - Returns: Whether to go on.
  fileprivate func receive(body: UnsafeRawBufferPointer) -> Bool {
    if unsafe sink.receive(body) == .stop {
      ownError = MediaLoadError(.refused, "the sink refused")
    }
    return ownError == nil
  }

  /// What the sink is told at the end.
  func conclude(_ result: CURLcode) -> MediaLoadError? {
    if let ownError { return ownError }
    if result == CURLE_OK {
      return hasHead ? nil : MediaLoadError(.network, "the server answered without a head")
    }
    let cause = CurlError(code: result.rawValue)
    if guardian.hasRefused {
      return MediaLoadError(.privateAddress, "the server has a private address", cause: cause)
    }
    let words = unsafe String(cString: curl_easy_strerror(result))
    return MediaLoadError(cause.isAboutTrust ? .untrusted : .network, words, cause: cause)
  }
}

/// libcurl's own number, a `CURLcode`.
package struct CurlError: Error, Sendable, RawRepresentable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  init(code: UInt32) { rawValue = code }

  /// Whether the server is not who it should be, or nobody can tell; asking again does not help.
  var isAboutTrust: Bool {
    [
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
    ].contains { $0.rawValue == rawValue }
  }
}

private func receiveLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe receive(bytes, size * count, context) { unsafe $0.receive(line: $1) }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  unsafe receive(bytes, size * count, context) { unsafe $0.receive(body: $1) }
}

/// - Returns: What makes libcurl go on: the count. Anything else stops it.
private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ take: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
  // An empty body is no piece.
  guard count > 0 else { return 0 }
  guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
  let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  return unsafe take(transfer, buffer) ? count : 0
}
