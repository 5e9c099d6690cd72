import Foundation
import _OpenSSLCrypto

/// Compares bytes in a time that does not depend on where they differ.
func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  OpenSSLCrypto.constantTimeEqual(left, right)
}

/// The bytes in hexadecimal.
func hex(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension ContiguousBytes {
  var bytes: [UInt8] { withUnsafeBytes { Array($0) } }
}
