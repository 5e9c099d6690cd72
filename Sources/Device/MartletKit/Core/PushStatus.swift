public import Foundation

/// The state of the library, and the values that the server did not accept.
public struct PushStatus: Hashable, Sendable {
  /// The progress of bringing the server up to date with the app.
  ///
  /// Compare a state that has no details, as in `status.state == .upToDate`. Use ``kind`` in a `switch`, with a `default`,
  /// because later versions may add kinds.
  public struct State: Hashable, Sendable {
    /// The kind of state.
    public struct Kind: RawRepresentable, Hashable, Sendable {
      /// The name, such as `upToDate`.
      public let rawValue: String

      /// Creates a kind.
      ///
      /// - Parameter rawValue: The name, in lower camel case.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// ``State/off``.
      public static let off = Kind(rawValue: "off")
      /// ``State/waitingForStorage``.
      public static let waitingForStorage = Kind(rawValue: "waitingForStorage")
      /// ``State/damaged``.
      public static let damaged = Kind(rawValue: "damaged")
      /// ``State/pending``.
      public static let pending = Kind(rawValue: "pending")
      /// ``State/upToDate``.
      public static let upToDate = Kind(rawValue: "upToDate")
      /// The server could not be reached, or asked to wait; the request is repeated at ``State/retryDate``.
      public static let retrying = Kind(rawValue: "retrying")
      /// The server refused a request, with ``State/httpStatus`` and ``State/reason``.
      ///
      /// A person has to act on it; the request is repeated when the app starts again.
      public static let refused = Kind(rawValue: "refused")
      /// ``State/stopped``.
      public static let stopped = Kind(rawValue: "stopped")
      /// ``State/erased``.
      public static let erased = Kind(rawValue: "erased")
    }

    /// The kind of state.
    public let kind: Kind
    /// The date at which a request is repeated; `nil` unless the kind is ``Kind/retrying``.
    public private(set) var retryDate: Date?
    /// The status with which the server refused a request; `nil` unless the kind is ``Kind/refused``.
    public private(set) var httpStatus: Int?
    /// The reason that the server gave; `nil` unless the kind is ``Kind/refused``.
    public private(set) var reason: String?

    /// ``PushDevice/start()`` has not been called: nothing is written and nothing is sent.
    public static let off = State(kind: .off)
    /// The files cannot be read or written now: before the phone's first unlock after a restart, or while its disk is
    /// full.
    ///
    /// The app's changes are kept in memory until then.
    public static let waitingForStorage = State(kind: .waitingForStorage)
    /// The record on the phone and its spare copy are damaged, or a newer version of the library wrote them: nothing is sent,
    /// and ``PushDevice/startOver()`` begins as a new device.
    public static let damaged = State(kind: .damaged)
    /// Changes wait to be sent, and will be sent soon.
    public static let pending = State(kind: .pending)
    /// The server has everything, but for ``PushStatus/problems``.
    public static let upToDate = State(kind: .upToDate)
    /// ``PushDevice/stop()`` was called: nothing is sent but that the device has no token any more.
    public static let stopped = State(kind: .stopped)
    /// The device was erased, and nothing is stored here any more.
    public static let erased = State(kind: .erased)

    /// Creates a state of the kind ``Kind/retrying``.
    ///
    /// - Parameter date: The date at which the request is repeated.
    /// - Returns: The state.
    public static func retrying(at date: Date) -> State { State(kind: .retrying, retryDate: date) }

    /// Creates a state of the kind ``Kind/refused``.
    ///
    /// - Parameters:
    ///   - status: The HTTP status with which the server refused a request.
    ///   - reason: The server's reason.
    /// - Returns: The state.
    public static func refused(status: Int, reason: String) -> State {
      State(kind: .refused, httpStatus: status, reason: reason)
    }
  }

  /// A value that the server does not store, or an event that it does not take.
  public struct Problem: Hashable, Sendable {
    /// The path of the value that has the problem, such as `$.device.user_id` or `events.bought`.
    public var path: String
    /// A description of the problem.
    public var reason: String

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - path: The path of the value that has the problem, such as `$.device.user_id`.
    ///   - reason: A description of the problem.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The state.
  public var state: State
  /// The values that were refused permanently, until the app sets other values.
  public var problems: [Problem]

  /// Creates a status, such as one for a preview or a test.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - problems: The values that were refused permanently.
  public init(_ state: State, problems: [Problem] = []) {
    self.state = state
    self.problems = problems
  }
}

extension PushStatus.State: CustomStringConvertible {
  /// The kind, and its details.
  public var description: String {
    switch kind {
    case .retrying: "retrying" + (retryDate.map { " at \($0)" } ?? "")
    case .refused: "refused with status \(httpStatus ?? 0): \(reason ?? "")"
    default: kind.rawValue
    }
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
    /// The record on the phone is damaged, as in the state ``PushStatus/State/damaged``.
    public static let damaged = Code(rawValue: "damaged")
    /// An argument has a value that is not allowed.
    public static let invalid = Code(rawValue: "invalid")
    /// The notification center refused the call; its error is ``PushError/cause``.
    public static let system = Code(rawValue: "system")
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
