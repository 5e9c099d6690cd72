import CCurl

/// A `curl_slist`, which must outlive its transfer because libcurl does not copy it.
@safe final class CurlStringList {
  private(set) var first: UnsafeMutablePointer<curl_slist>?

  /// Creates a list; `nil` if memory cannot be allocated.
  init?(_ lines: [String]) {
    for line in lines {
      guard let longer = unsafe curl_slist_append(first, line) else { return nil }
      unsafe first = longer
    }
  }

  deinit { unsafe curl_slist_free_all(first) }
}
