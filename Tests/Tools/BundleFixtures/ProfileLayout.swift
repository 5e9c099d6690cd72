package import BundleDoctor
import COpenSSL
package import Foundation
import Synchronization
import _TLS

/// A provisioning profile, signed by an authority that is made for it.
package struct ProfileLayout: Sendable {
  package var name = "Example"
  package var teamID = "TEAM123456"
  package var expires = Date(timeIntervalSince1970: 1_900_000_000)
  package var entitlements: [String: PropertyList]

  package init(entitlements: [String: PropertyList]) { self.entitlements = entitlements }

  package func bytes() throws -> [UInt8] {
    let values: PropertyList = [
      "Name": .string(name), "TeamIdentifier": [.string(teamID)], "ExpirationDate": .date(expires),
      "UUID": "00000000-0000-4000-8000-000000000000", "Entitlements": .dictionary(entitlements),
      "ApplicationIdentifierPrefix": [.string(teamID)],
    ]
    return try Self.signed(Array(values.written(as: .xml)))
  }

  /// Most layouts have the same two profiles; a signature differs each time it is made.
  private static let made = Mutex<[[UInt8]: [UInt8]]>([:])

  private static let authority = Result { try CertificateAuthority() }

  /// CMS SignedData around the bytes, as `security cms -S` makes it.
  package static func signed(_ content: [UInt8]) throws -> [UInt8] {
    try made.withLock { made in
      if let bytes = made[content] { return bytes }
      let bytes = try sign(content)
      made[content] = bytes
      return bytes
    }
  }

  private static func sign(_ content: [UInt8]) throws -> [UInt8] {
    let authority = try authority.get()
    let (certificateIn, keyIn) = (memory(authority.certificatePEM), memory(authority.keyPEM))
    let input = memory(content)
    let output = BIO_new(BIO_s_mem())
    let certificate = martlet_PEM_read_certificate(certificateIn)
    let key = martlet_PEM_read_private_key(keyIn)
    defer {
      for bio in [certificateIn, keyIn, input, output] { BIO_free_all(bio) }
      X509_free(certificate)
      EVP_PKEY_free(key)
    }
    let message = CMS_sign(certificate, key, nil, input, UInt32(CMS_BINARY))
    defer { CMS_ContentInfo_free(message) }
    guard i2d_CMS_bio(output, message) == 1 else { throw CocoaError(.coderInvalidValue) }
    var start: UnsafePointer<UInt8>?
    let count = martlet_BIO_get_mem_data(output, &start)
    return Array(UnsafeBufferPointer(start: start, count: count))
  }

  private static func memory(_ text: String) -> OpaquePointer? { memory(Array(text.utf8)) }
  private static func memory(_ bytes: [UInt8]) -> OpaquePointer? {
    let bio = BIO_new(BIO_s_mem())
    BIO_write(bio, bytes, Int32(bytes.count))
    return bio
  }
}
