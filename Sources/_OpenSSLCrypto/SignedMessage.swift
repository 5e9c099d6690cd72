import COpenSSL
package import PushCrypto

/// A message that carries what it signs (CMS SignedData, RFC 5652 section 5), as provisioning profiles
/// are.
package struct SignedMessage: Sendable {
  /// What was signed.
  package let content: [UInt8]

  /// Longer messages are no provisioning profiles.
  package static let maximumBytes = 4 << 20

  /// Reads a message in DER or BER; whether its signer is to be trusted is not asked.
  package init(der: [UInt8]) throws(CryptoError) {
    guard der.count <= Self.maximumBytes else {
      throw CryptoError(.tooLarge, "a signed message of over \(Self.maximumBytes) bytes")
    }
    let input = try MemoryBIO()
    guard unsafe BIO_write(input.raw, der, Int32(der.count)) == Int32(der.count),
      let message = unsafe d2i_CMS_bio(input.raw, nil)
    else {
      ERR_clear_error()
      throw CryptoError(.malformed, "no CMS message")
    }
    defer { unsafe CMS_ContentInfo_free(message) }
    guard unsafe OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed,
      let content = unsafe CMS_get0_content(message)?.pointee,
      let start = unsafe ASN1_STRING_get0_data(content)
    else {
      ERR_clear_error()
      throw CryptoError(.malformed, "a CMS message without the data that it signs")
    }
    let count = unsafe Int(ASN1_STRING_length(content))
    self.content = unsafe Array(UnsafeBufferPointer(start: start, count: max(0, count)))
  }
}
