public import Foundation

/// What the library is doing, and what the server did not take.
public struct PushStatus: Hashable, Sendable {
  /// The state of what the server knows against what the app wants.
  ///
  /// A state without details is compared, as in `status.state == .upToDate`; ``kind`` is for a `switch`, which needs a
  /// `default`, since later versions may have more kinds.
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
    /// What the app asks for is kept in memory.
    public static let waitingForStorage = State(kind: .waitingForStorage)
    /// The record on the phone and its spare copy are damaged, or a newer version of the library wrote them: nothing is sent,
    /// and ``PushDevice/startOver()`` begins as a new device.
    public static let damaged = State(kind: .damaged)
    /// Something is to be sent, and will be soon.
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
    /// What the problem is about, such as `$.device.user_id` or `events.bought`.
    public var path: String
    /// What is wrong.
    public var reason: String

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - path: What the problem is about, such as `$.device.user_id`.
    ///   - reason: What is wrong.
    public init(path: String, reason: String) {
      self.path = path
      self.reason = reason
    }
  }

  /// The state.
  public var state: State
  /// What was refused for good, until the app sets another value.
  public var problems: [Problem]

  /// Creates a status, such as one for a preview or a test.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - problems: What was refused for good.
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
