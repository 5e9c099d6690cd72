import Glibc
import _EventLoop

/// The reason why a server could not start.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
  package struct Code: Hashable, Sendable {
    enum Raw { case addressInUse, addressUnusable, certificateUnusable, cannotStart }
    let raw: Raw
    package static let addressInUse = Code(raw: .addressInUse)
    package static let addressUnusable = Code(raw: .addressUnusable)
    package static let certificateUnusable = Code(raw: .certificateUnusable)
    package static let cannotStart = Code(raw: .cannotStart)
  }

  package var code: Code
  /// One line that says what is wrong and what to do.
  package var message: String

  package var description: String { message }
}

extension HTTPServerError {
  /// Makes the error for a thread or a descriptor of the server that could not be created.
  init(startFailed error: SystemError) {
    self.init(
      code: .cannotStart,
      message:
        "the HTTP server cannot start (\(error)); check the limits of open files and threads")
  }

  /// Listens on an address of this machine.
  static func listen(host: String, port: UInt16) throws(HTTPServerError) -> Socket {
    guard !host.isEmpty, let address = try? SocketAddress.lookUp(host: host, port: port).first
    else {
      throw HTTPServerError(
        code: .addressUnusable,
        message: "\(host) is not an address of this machine; use 127.0.0.1, ::1 or 0.0.0.0")
    }
    do throws(SystemError) {
      return try Socket.listening(on: address)
    } catch {
      throw failure(error, host: host, port: port)
    }
  }

  private static func failure(
    _ error: SystemError, host: String, port: UInt16
  ) -> HTTPServerError {
    switch error.code {
    case EADDRINUSE:
      HTTPServerError(
        code: .addressInUse,
        message: "port \(port) on \(host) is in use; stop what listens there, or take port 0")
    case EACCES:
      HTTPServerError(
        code: .addressUnusable,
        message: "port \(port) needs privileges; take one above 1023")
    default:
      HTTPServerError(
        code: .addressUnusable,
        message: "cannot listen on \(host) port \(port): \(error.text)")
    }
  }
}
