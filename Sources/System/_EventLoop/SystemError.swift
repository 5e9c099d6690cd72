import CLinux
import Glibc

/// The error of a system call.
package struct SystemError: Error, Sendable, CustomStringConvertible {
  /// The name of the call.
  package let call: String
  /// The value of `errno`; 0 if the call has none.
  package let code: Int32
  /// The system's description of the error.
  package let text: String

  init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
    var buffer = [CChar](repeating: 0, count: 128)
    unsafe martlet_error_text(code, &buffer, UInt(buffer.count))
    text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  init(_ call: String, text: String) {
    self.call = call
    code = 0
    self.text = text
  }

  package var description: String { "\(call): \(text)" }

  /// Whether the address to listen on is already in use.
  package var isAddressInUse: Bool { code == EADDRINUSE }
}
