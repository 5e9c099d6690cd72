import COpenSSL
package import PushCrypto

/// A signed message with its content (CMS SignedData, RFC 5652 section 5), such as a provisioning profile.
package struct SignedMessage: Sendable {
  /// The signed content.
  package let content: [UInt8]

  /// The most bytes of a message; provisioning profiles are smaller.
  package static let maximumBytes = 4 << 20

  /// Reads a message in DER or BER; the signature and its signer are not checked.
  package init(der: [UInt8]) throws(CryptoError) {
    guard der.count <= Self.maximumBytes else {
      throw CryptoError(.tooLarge, "the signed message has more than \(Self.maximumBytes) bytes")
    }
    let input = try MemoryBIO()
    guard unsafe BIO_write(input.raw, der, Int32(der.count)) == Int32(der.count),
      let message = unsafe d2i_CMS_bio(input.raw, nil)
    else {
      ERR_clear_error()
      throw CryptoError(.malformed, "not a CMS message in DER or BER")
    }
    defer { unsafe CMS_ContentInfo_free(message) }
    guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed,
      let content = unsafe CMS_get0_content(message)?.pointee,
      let start = unsafe ASN1_STRING_get0_data(content)
    else {
      ERR_clear_error()
      throw CryptoError(.malformed, "the CMS message does not contain the data that it signs")
    }
    let count = unsafe Int(ASN1_STRING_length(content))
    self.content = unsafe Array(UnsafeBufferPointer(start: start, count: max(0, count)))
  }
}
