import CCurl
import Foundation

/// An easy handle with the options that every request has: no redirects, no proxy, and a check of each address.
@safe final class CurlHandle {
  let easy: UnsafeMutableRawPointer
  let guardian: AddressGuard
  /// The lists that libcurl reads during the transfer.
  private var lists: [CurlStringList] = []

  /// Makes a handle; `nil` if memory cannot be allocated.
  init?(url: String, headerLines: [String], guardian: AddressGuard) {
    guard let headers = CurlStringList(headerLines), let easy = unsafe curl_easy_init() else {
      return nil
    }
    unsafe self.easy = easy
    self.guardian = guardian
    set(CURLOPT_URL, url)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
    // A proxy from the environment would see the URL and hide the server's address.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_HTTPHEADER, headers)
    unsafe guardian.install(on: easy)
  }

  deinit { unsafe curl_easy_cleanup(easy) }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe martlet_curl_set_long(easy, option, value)
  }

  func set(_ option: CURLoption, _ value: String) {
    unsafe martlet_curl_set_string(easy, option, value)
  }

  /// Sets a list, which is kept as long as the handle.
  func set(_ option: CURLoption, _ list: CurlStringList) {
    lists.append(list)
    unsafe martlet_curl_set_pointer(easy, option, list.first)
  }

  /// Makes the request a POST with a body.
  func post(_ body: some ContiguousBytes) {
    set(CURLOPT_POST, 1)
    unsafe body.withUnsafeBytes { bytes in
      set(CURLOPT_POSTFIELDSIZE, bytes.count)
      // libcurl copies the bytes, although the shim takes a mutable pointer.
      _ = unsafe martlet_curl_set_pointer(
        easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
  }
}
