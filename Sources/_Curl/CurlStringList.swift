import CCurl

/// Lines as libcurl takes them; it does not copy the list, so this outlives the transfer.
@safe final class CurlStringList {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  /// `nil` where memory is short.
  init?(_ lines: [String]) {
    for line in lines {
      guard let longer = unsafe curl_slist_append(first, line) else { return nil }
      unsafe first = longer
    }
  }

  deinit { unsafe curl_slist_free_all(first) }
}
