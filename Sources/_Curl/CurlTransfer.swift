import CCurl
import Foundation
import MediaLoading

/// One easy handle and the sink it feeds; used by the loop's thread alone.
@safe final class CurlTransfer {
  let number: UInt64
  let easy: UnsafeMutableRawPointer
  let sink: any MediaSink
  private let url: URL
  private let allowsPlainHTTP: Bool
  private var hasHead = false
  private var isRefused = false

  init?(_ number: UInt64, _ request: MediaRequest, _ sink: any MediaSink, caFile: String?) {
    guard let easy = unsafe curl_easy_init() else { return nil }
    self.number = number
    unsafe self.easy = easy
    self.sink = sink
    url = request.url
    allowsPlainHTTP = request.allowsPlainHTTP
    set(CURLOPT_URL, url.absoluteString)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_REDIR_PROTOCOLS_STR, allowsPlainHTTP ? "http,https" : "https")
    set(CURLOPT_USERAGENT, "Martlet")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FOLLOWLOCATION, 1)
    set(CURLOPT_MAXREDIRS, 5)
    set(CURLOPT_CONNECTTIMEOUT, 15)
    set(CURLOPT_BUFFERSIZE, 262_144)
    if let caFile { set(CURLOPT_CAINFO, caFile) }
    // Unretained: the loop keeps this object until the handle is removed from the multi handle.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe martlet_curl_set_write(easy, receiveBody, context)
  }

  deinit { unsafe curl_easy_cleanup(easy) }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe martlet_curl_set_long(easy, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    unsafe martlet_curl_set_string(easy, option, value)
  }

  /// - Returns: Whether to go on.
  fileprivate func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard announceHead() else { return false }
    guard unsafe sink.receive(bytes) == .proceed else {
      isRefused = true
      return false
    }
    return true
  }

  /// The head of the final answer: libcurl writes no body of a redirect that it follows.
  private func announceHead() -> Bool {
    guard !hasHead else { return true }
    hasHead = true
    let length = unsafe martlet_curl_content_length(easy)
    let head = MediaResponseHead(
      status: unsafe martlet_curl_status(easy),
      url: unsafe text(martlet_curl_string(easy, CURLINFO_EFFECTIVE_URL)).flatMap(URL.init) ?? url,
      mimeType: unsafe text(martlet_curl_string(easy, CURLINFO_CONTENT_TYPE)),
      contentLength: length >= 0 ? length : nil)
    guard sink.receive(head) == .proceed else {
      isRefused = true
      return false
    }
    return true
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }

  /// What the sink is told at the end.
  func conclude(_ result: CURLcode) -> MediaLoadError? {
    if isRefused { return MediaLoadError(.refused, "the sink refused") }
    // The first URL's scheme is the loop's to check, so this is a redirect's.
    if result == CURLE_UNSUPPORTED_PROTOCOL, !allowsPlainHTTP {
      return MediaLoadError(.insecureRedirect, "the server redirected away from https:")
    }
    guard result == CURLE_OK else {
      let words = unsafe String(cString: curl_easy_strerror(result))
      return MediaLoadError(.network, words, cause: CurlError(code: result.rawValue))
    }
    // An answer without a body has not shown its head yet.
    return announceHead() ? nil : MediaLoadError(.refused, "the sink refused")
  }
}

/// libcurl's own number, a `CURLcode`.
package struct CurlError: Error, Sendable, RawRepresentable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  init(code: UInt32) { rawValue = code }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  guard let bytes = unsafe bytes, let context = unsafe context else { return 0 }
  let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
  // Anything but the count makes libcurl stop.
  return unsafe transfer.receive(buffer) ? buffer.count : 0
}
