import COpenSSL

/// The certificate that a client presented.
package struct TLSPeer: Sendable {
  /// Whether a trusted authority has signed the certificate, and it is valid now.
  package let isTrusted: Bool
  /// The time in which it is valid, in seconds since 1970.
  package let validity: ClosedRange<Int64>
  /// The `UID` of the certificate's subject.
  package let userID: String?
  /// The topics of a push certificate; `nil` if the certificate has no list of topics.
  package let pushTopics: [String]?
}

/// The extension of Apple's push certificates that lists the topics: strings, each followed by a sequence of kinds.
package enum PushTopics {
  static let identifier = "1.2.840.113635.100.6.3.6"
  /// The most topics that are read; Apple's certificates have four.
  package static let limit = 100

  /// Reads the topics from DER; `nil` if the bytes are not such a list, or have more than ``limit`` topics.
  package static func read(_ bytes: [UInt8]) -> [String]? {
    var remaining = bytes[...]
    guard let list = element(&remaining), list.tag == 0x30, remaining.isEmpty else { return nil }
    var rest = list.content
    var topics: [String] = []
    while !rest.isEmpty {
      guard let next = element(&rest) else { return nil }
      guard next.tag == 0x0c else { continue }
      guard topics.count < limit else { return nil }
      topics.append(String(decoding: next.content, as: UTF8.self))
    }
    return topics
  }

  /// The list of topics in DER; each topic has at most 100 bytes.
  static func encoded(_ topics: [String]) -> [UInt8] {
    let content = topics.flatMap { topic in
      wrapped(0x0c, Array(topic.utf8)) + wrapped(0x30, wrapped(0x0c, Array("app".utf8)))
    }
    return wrapped(0x30, content)
  }

  private static func wrapped(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let count = content.count
    let length: [UInt8] =
      count < 128
      ? [UInt8(count)] : [0x82, UInt8(count >> 8 & 0xff), UInt8(truncatingIfNeeded: count)]
    return [tag] + length + content
  }

  /// Removes the first element (X.690 section 8.1); lengths of more than two bytes are not supported.
  private static func element(
    _ bytes: inout ArraySlice<UInt8>
  ) -> (tag: UInt8, content: ArraySlice<UInt8>)? {
    guard let tag = bytes.popFirst(), let first = bytes.popFirst() else { return nil }
    var count = Int(first)
    if first >= 0x80 {
      guard 0x81...0x82 ~= first, bytes.count >= count - 0x80 else { return nil }
      count = bytes.prefix(count - 0x80).reduce(0) { $0 << 8 | Int($1) }
      bytes.removeFirst(Int(first) - 0x80)
    }
    guard bytes.count >= count else { return nil }
    defer { bytes.removeFirst(count) }
    return (tag, bytes.prefix(count))
  }
}

extension Certificate {
  /// The time in which it is valid, in seconds since 1970; an unreadable time is unlimited.
  var validity: ClosedRange<Int64> {
    let start = unsafe Self.seconds(X509_get0_notBefore(raw)) ?? .min
    let end = unsafe Self.seconds(X509_get0_notAfter(raw)) ?? .max
    return start...max(start, end)
  }

  var userID: String? {
    var text = [CChar](repeating: 0, count: 256)
    let count = unsafe X509_NAME_get_text_by_NID(
      X509_get_subject_name(raw), NID_userId, &text, Int32(clamping: text.count))
    guard count > 0 else { return nil }
    return String(decoding: text.prefix(Int(count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// The value of an extension in DER; `nil` if the certificate does not have the extension.
  func value(ofExtension identifier: String) -> [UInt8]? {
    guard let object = unsafe OBJ_txt2obj(identifier, 1) else { return nil }
    defer { unsafe ASN1_OBJECT_free(object) }
    let index = unsafe X509_get_ext_by_OBJ(raw, object, -1)
    guard index >= 0, let value = unsafe X509_EXTENSION_get_data(X509_get_ext(raw, index)),
      let start = unsafe ASN1_STRING_get0_data(value)
    else { return nil }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(value))))
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    var parts = unsafe tm()
    guard let time = unsafe time, unsafe ASN1_TIME_to_tm(time, &parts) == 1 else { return nil }
    return unsafe Int64(timegm(&parts))
  }
}
