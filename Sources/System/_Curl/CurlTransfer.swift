import CCurl
import Foundation
import MediaLoading

/// A request of a loader and the sink of its response, used only on the loop's thread.
@safe final class CurlTransfer {
  let number: UInt64
  let handle: CurlHandle
  let sink: any MediaSink
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
    guard let hosts = CurlStringList(configuration.hostLines(for: request.url)),
      let handle = CurlHandle(
        url: request.url.absoluteString, headerLines: lines,
        guardian: AddressGuard { _ in request.allowsPrivateAddress })
    else { return nil }
    self.number = number
    self.handle = handle
    self.sink = sink
    handle.set(CURLOPT_CONNECTTIMEOUT, 15)
    handle.set(CURLOPT_BUFFERSIZE, 262_144)
    if let caFile = configuration.caFile { handle.set(CURLOPT_CAINFO, caFile) }
    if request.method == "HEAD" { handle.set(CURLOPT_NOBODY, 1) }
    if let body = request.body, !body.isEmpty { handle.post(body) }
    if !["GET", "HEAD"].contains(request.method) || request.body?.isEmpty == false {
      handle.set(CURLOPT_CUSTOMREQUEST, request.method)
    }
    handle.set(CURLOPT_RESOLVE, hosts)
    // Unretained: the loop retains this object until the handle is removed from the multi handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_header(handle.easy, receiveLine, context)
    unsafe martlet_curl_set_write(handle.easy, receiveBody, context)
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
    if handle.guardian.hasRefused {
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
