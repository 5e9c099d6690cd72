import COpenSSL
import _OpenSSLCrypto

/// A certificate authority for servers on this machine and for tests.
///
/// Its own certificate is valid for ten years. Those that it issues are valid for 397 days, from an hour ago.
package struct CertificateAuthority {
  /// The authority's certificate, which clients must trust.
  package let certificatePEM: String
  /// The authority's private key, which a caller can store to issue more certificates later.
  package let keyPEM: String

  /// Makes an authority with a new key.
  package init() throws {
    let key = try newKey()
    let certificate = try makeCertificate(
      name: "Martlet local authority", key: key, issuer: nil, issuerKey: key, days: 3650,
      extensions: [
        ("basicConstraints", "critical,CA:TRUE"),
        ("keyUsage", "critical,keyCertSign,cRLSign"),
        ("subjectKeyIdentifier", "hash"),
      ])
    certificatePEM = try pem(certificate)
    keyPEM = try pem(key)
  }

  /// Loads an existing authority.
  package init(certificatePEM: String, keyPEM: String) throws {
    _ = try Certificate.all(in: certificatePEM)
    _ = try PrivateKey(pem: keyPEM)
    self.certificatePEM = certificatePEM
    self.keyPEM = keyPEM
  }

  /// Issues a server certificate.
  ///
  /// - Parameters:
  ///   - hosts: The certificate's host names and addresses.
  ///   - start: The start of its validity, in seconds from now; an hour ago by default.
  ///   - days: The number of days for which it is valid.
  /// - Returns: The certificate, followed by the authority's own, and its private key.
  /// - Throws: ``TLSError`` if a host has a character that names and addresses cannot have.
  package func issue(
    hosts: [String], validFrom start: Int = -3600, days: Int = 397
  ) throws -> (certificatePEM: String, keyPEM: String) {
    let names = try hosts.map { host in
      let allowed = host.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-.:*".utf8.contains(byte)
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
      guard allowed, !host.isEmpty else {
        throw TLSError(.failed, "\"\(host)\" is not a host name or address")
      }
      let isAddress =
        host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
      return (isAddress ? "IP:" : "DNS:") + host
    }
    guard let first = hosts.first else {
      throw TLSError(.failed, "a server certificate needs a host name")
    }
    let issuer = try Certificate.all(in: certificatePEM)[0]
    let key = try newKey()
    let certificate = try makeCertificate(
      name: String(first.prefix(64)), key: key, issuer: issuer,
      issuerKey: PrivateKey(pem: keyPEM), validFrom: start, days: days,
      extensions: [
        ("basicConstraints", "critical,CA:FALSE"),
        ("keyUsage", "critical,digitalSignature"),
        ("extendedKeyUsage", "serverAuth"),
        ("subjectAltName", names.joined(separator: ",")),
        ("authorityKeyIdentifier", "keyid"),
      ])
    return (try pem(certificate) + certificatePEM, try pem(key))
  }

  /// Issues a push certificate for topics; the first topic is the app's bundle id.
  ///
  /// It has the structure of Apple's certificates: the bundle id is the `UID` of its subject, and an extension
  /// lists all topics.
  package func issuePushCertificate(
    topics: [String], validFrom start: Int = -3600, days: Int = 365
  ) throws -> (certificatePEM: String, keyPEM: String) {
    guard let first = topics.first, topics.allSatisfy({ 1...100 ~= $0.utf8.count }) else {
      throw TLSError(.failed, "a push certificate needs topics of 1 to 100 bytes")
    }
    let key = try newKey()
    let list = PushTopics.encoded(topics).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let certificate = try makeCertificate(
      name: "Apple Push Services: \(first)".prefix(64).description, userID: first, key: key,
      issuer: Certificate.all(in: certificatePEM)[0], issuerKey: PrivateKey(pem: keyPEM),
      validFrom: start, days: days,
      extensions: [
        ("basicConstraints", "critical,CA:FALSE"), ("extendedKeyUsage", "clientAuth"),
        ("authorityKeyIdentifier", "keyid"),
        (PushTopics.identifier, "DER:" + list.joined(separator: ":")),
      ])
    return (try pem(certificate), try pem(key))
  }
}

private func newKey() throws(TLSError) -> PrivateKey {
  guard let raw = unsafe martlet_generate_p256() else {
    throw .drainingQueue("no key can be made")
  }
  return unsafe PrivateKey(owning: raw)
}

private func makeCertificate(
  name: String, userID: String? = nil, key: PrivateKey, issuer: Certificate?,
  issuerKey: PrivateKey, validFrom start: Int = -3600, days: Int, extensions: [(String, String)]
) throws(TLSError) -> Certificate {
  guard let raw = unsafe X509_new() else { throw .drainingQueue("no certificate can be made") }
  let certificate = unsafe Certificate(owning: raw)
  var serial = OpenSSLCrypto.randomBytes(16)
  serial[0] &= 0x7f
  let number = unsafe BN_bin2bn(serial, Int32(serial.count), nil)
  defer { unsafe BN_free(number) }
  unsafe BN_to_ASN1_INTEGER(number, X509_get_serialNumber(raw))
  unsafe X509_set_version(raw, 2)
  unsafe X509_gmtime_adj(X509_getm_notBefore(raw), start)
  unsafe X509_gmtime_adj(X509_getm_notAfter(raw), start + days * 86_400)
  unsafe X509_set_pubkey(raw, key.raw)
  let subject = unsafe X509_get_subject_name(raw)
  unsafe X509_NAME_add_entry_by_txt(
    subject, "CN", MBSTRING_UTF8, name, Int32(name.utf8.count), -1, 0)
  if let userID {
    unsafe X509_NAME_add_entry_by_txt(
      subject, "UID", MBSTRING_UTF8, userID, Int32(userID.utf8.count), -1, 0)
  }
  let authority = unsafe issuer?.raw ?? raw
  unsafe X509_set_issuer_name(raw, X509_get_subject_name(authority))
  for (kind, value) in extensions {
    var context = unsafe X509V3_CTX()
    unsafe martlet_X509V3_set_ctx(&context, authority, raw)
    guard let item = unsafe X509V3_EXT_conf(nil, &context, kind, value) else {
      throw .drainingQueue("a certificate extension was refused")
    }
    defer { unsafe X509_EXTENSION_free(item) }
    unsafe X509_add_ext(raw, item, -1)
  }
  guard unsafe X509_sign(raw, issuerKey.raw, EVP_sha256()) > 0 else {
    throw .drainingQueue("the certificate cannot be signed")
  }
  return certificate
}

private func pem(_ certificate: Certificate) throws(TLSError) -> String {
  let bio = try memory()
  guard unsafe PEM_write_bio_X509(bio.raw, certificate.raw) == 1 else {
    throw .drainingQueue("the certificate cannot be written")
  }
  return bio.text
}

private func pem(_ key: PrivateKey) throws(TLSError) -> String {
  let bio = try memory()
  guard unsafe PEM_write_bio_PrivateKey(bio.raw, key.raw, nil, nil, 0, nil, nil) == 1 else {
    throw .drainingQueue("the key cannot be written")
  }
  return bio.text
}
