import CCurl
import Foundation
import MediaLoading

/// An easy handle and the sink of its response, used only on the loop's thread.
@safe final class CurlTransfer {
  let number: UInt64
  let easy: UnsafeMutableRawPointer
  let sink: any MediaSink
  private let headers: CurlStringList
  private let hosts: CurlStringList
  private let guardian: AddressGuard
  private var parser = ResponseHeadParser()
  /// The error with which a callback stopped the transfer, because libcurl's result does not contain it.
  private var ownError: MediaLoadError?
  private var hasHead = false

  init?(
    _ request: MediaRequest, into sink: any MediaSink, number: UInt64,
    configuration: CurlLoop.Configuration
  ) {
    // In libcurl, `Name:` removes a field; a field without a value is written `Name;`.
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
    // A proxy from the environment would see the URL and hide the server's address.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT, 15)
    set(CURLOPT_BUFFERSIZE, 262_144)
    if let caFile = configuration.caFile { set(CURLOPT_CAINFO, caFile) }
    if request.method == "HEAD" { set(CURLOPT_NOBODY, 1) }
    if let body = request.body, !body.isEmpty { send(body) }
    if !["GET", "HEAD"].contains(request.method) || request.body?.isEmpty == false {
      set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    unsafe martlet_curl_set_pointer(easy, CURLOPT_HTTPHEADER, headers.first)
    unsafe martlet_curl_set_pointer(easy, CURLOPT_RESOLVE, hosts.first)
    // Unretained: the loop retains this object until the handle is removed from the multi handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_header(easy, receiveLine, context)
    unsafe martlet_curl_set_write(easy, receiveBody, context)
    unsafe guardian.install(on: easy)
  }

  deinit { unsafe curl_easy_cleanup(easy) }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe martlet_curl_set_long(easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe martlet_curl_set_string(easy, option, value)
  }

  private func send(_ body: Data) {
    set(CURLOPT_POST, 1)
    set(CURLOPT_POSTFIELDSIZE, body.count)
    // libcurl copies the bytes, although the shim takes a mutable pointer.
    unsafe body.withUnsafeBytes {
      _ = unsafe martlet_curl_set_pointer(
        easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
  }

  /// - Returns: Whether to continue.
  fileprivate func receive(line: UnsafeRawBufferPointer) -> Bool {
    switch unsafe parser.on(line) {
    case .none: break
    case .announce(let head):
      hasHead = true
      if sink.receive(head) == .stop {
        ownError = MediaLoadError(.refused, "the sink stopped the load")
      }
    case .fail:
      ownError = MediaLoadError(
        .network, "the server sent too many, too long or invalid header fields")
    }
    return ownError == nil
  }

  /// - Returns: Whether to continue.
  fileprivate func receive(body: UnsafeRawBufferPointer) -> Bool {
    if unsafe sink.receive(body) == .stop {
      ownError = MediaLoadError(.refused, "the sink stopped the load")
    }
    return ownError == nil
  }

  /// The error with which the sink finishes; `nil` if the transfer succeeded.
  func conclude(_ result: CURLcode) -> MediaLoadError? {
    if let ownError { return ownError }
    if result == CURLE_OK {
      return hasHead ? nil : MediaLoadError(.network, "the server sent no response head")
    }
    let cause = CurlError(code: result.rawValue)
    if guardian.hasRefused {
      return MediaLoadError(.privateAddress, "the server has a private address", cause: cause)
    }
    let message = unsafe String(cString: curl_easy_strerror(result))
    return MediaLoadError(cause.isAboutTrust ? .untrusted : .network, message, cause: cause)
  }
}

/// An error of libcurl, a `CURLcode`.
package struct CurlError: Error, Sendable, RawRepresentable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  init(code: UInt32) { rawValue = code }

  /// Whether the server's certificate was not accepted.
  ///
  /// A retry does not help.
  var isAboutTrust: Bool {
    [
      CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
    ].contains { $0.rawValue == rawValue }
  }
}

extension CurlError: CustomStringConvertible {
  package var description: String {
    unsafe String(cString: curl_easy_strerror(CURLcode(rawValue: rawValue)))
  }
}

/// The callback `CURLOPT_HEADERFUNCTION`.
private func receiveLine(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  unsafe receive(bytes, count: size * count, context: context) { unsafe $0.receive(line: $1) }
}

/// The callback `CURLOPT_WRITEFUNCTION`.
private func receiveBody(
  bytes: UnsafeMutablePointer<CChar>?, size: Int, count: Int, context: UnsafeMutableRawPointer?
) -> Int {
  unsafe receive(bytes, count: size * count, context: context) { unsafe $0.receive(body: $1) }
}

/// Passes bytes to the transfer of a callback.
///
/// - Returns: `count` to make libcurl continue; any other number stops it.
private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, count: Int, context: UnsafeMutableRawPointer?,
  body: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
  // libcurl calls back for an empty body too.
  guard count > 0 else { return 0 }
  guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
  let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
  return unsafe body(transfer, buffer) ? count : 0
}
