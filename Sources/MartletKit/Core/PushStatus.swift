public import Foundation

/// What the library is doing, and what the server did not take.
public struct PushStatus: Hashable, Sendable {
  /// The state of what the server knows against what the app wants.
  public enum State: Hashable, Sendable {
    /// ``PushDevice/start()`` has not been called: nothing is written and nothing is sent.
    case off
    /// The files cannot be read or written now: before the phone's first unlock after a restart, or while its disk is
    /// full. What the app asks for is kept in memory.
    case waitingForStorage
    /// Something is to be sent, and will be soon.
    case pending
    /// The server has everything, but for ``PushStatus/problems``.
    case upToDate
    /// The server could not be reached, or asked to wait; the request is repeated at the date.
    case retrying(at: Date)
    /// The server refused a request, with its status and the reason that it gave. A person has to act on it; the request
    /// is repeated when the app starts again.
    case refused(status: Int, reason: String)
    /// ``PushDevice/stop()`` was called: nothing is sent but that the device has no token any more.
    case stopped
    /// The device was erased, and nothing is stored here any more.
    case erased
  }

  /// A value that the server does not store, or an event that it does not take.
  public struct Problem: Hashable, Sendable {
    /// What the problem is about, such as `$.device.user_id` or `events.bought`.
    public var path: String
    /// What is wrong.
    public var reason: String
  }

  /// The state.
  public var state: State
  /// What was refused for good, until the app sets another value.
  public var problems: [Problem]

  init(_ state: State, problems: [Problem] = []) {
    self.state = state
    self.problems = problems
  }
}

/// An error of a call that waits for the server.
public struct PushError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code, such as `unreachable`.
    public let rawValue: String

    /// Creates a code.
    ///
    /// - Parameter rawValue: Lower-case words joined by hyphens.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server could not be reached, or asked to wait.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server refused the request.
    public static let refused = Code(rawValue: "refused")
    /// The files cannot be read or written.
    public static let storage = Code(rawValue: "storage")
    /// The value of an argument is not one.
    public static let invalid = Code(rawValue: "invalid")
  }

  /// The kind of failure.
  public var code: Code
  /// A description of the failure.
  public var message: String
  /// The underlying error.
  public var cause: (any Error)?

  init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
