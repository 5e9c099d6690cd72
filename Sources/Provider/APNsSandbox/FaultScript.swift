/// A script of the faults that a sandbox simulates.
///
/// A script is a list of rules. The conditions of a rule are ``Rule/after``, ``Rule/at``, ``Rule/token`` and
/// ``Rule/every``; if all given conditions hold, ``Rule/fault`` is applied. All rules that hold for a request are
/// applied, in order, and the first one that answers gives the answer. ``init(json:)`` reads a script from a file;
/// `docs/provider/sandbox.md` has the keys.
public struct FaultScript: Hashable, Sendable {
  /// The rules, in the order in which they are applied.
  public var rules: [Rule]

  /// Makes a script.
  ///
  /// - Parameter rules: The rules, in the order in which they are applied; empty for no faults.
  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// A fault with its conditions.
  public struct Rule: Hashable, Sendable {
    /// Holds after this many requests to the sandbox.
    public var after: Int?
    /// Holds from this time after the sandbox began to listen.
    ///
    /// A fault of the connection then needs no request and applies to all connections; with a ``count`` above 1 it
    /// applies to the following requests, too.
    public var at: Duration?
    /// Holds only for requests to this device token, in either letter case.
    public var token: String?
    /// Holds for each request whose number, counted from ``after``, is a multiple of this.
    public var every: Int?
    /// The number of times that the fault is applied.
    ///
    /// `nil`, the default, means each time with ``token`` or ``every``. Without them it means once for a fault of the connection,
    /// once with ``after`` or ``at`` and no ``lasting``, and each time otherwise.
    public var count: Int?
    /// The time that the fault lasts: a fault of the connection is undone after it, and a fault of a request applies to each
    /// request until then.
    public var lasting: Duration?
    /// The fault.
    public var fault: Fault

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - fault: The fault.
    ///   - after: The number of requests before it applies.
    ///   - at: The time after the sandbox began to listen.
    ///   - token: The device token that it applies to.
    ///   - every: The interval: it applies to each request whose number is a multiple of this.
    ///   - count: The number of times that it is applied.
    ///   - lasting: The time that it lasts.
    public init(
      _ fault: Fault, after: Int? = nil, at: Duration? = nil, token: String? = nil,
      every: Int? = nil, count: Int? = nil, lasting: Duration? = nil
    ) {
      self.fault = fault
      self.after = after
      self.at = at
      self.token = token
      self.every = every
      self.count = count
      self.lasting = lasting
    }
  }
}

/// A fault of a server.
public struct Fault: Hashable, Sendable {
  enum Kind: Hashable {
    case goAway(lastStream: Int32?, reason: String, code: UInt32)
    case settings(limit: UInt32?, window: UInt32?)
    case stall
    case resetStream(UInt32)
    case drop
    case answer(status: Int, reason: String?, timestamp: Int64?)
    case refuseConnections
    case latency(Latency)
    case halfOpen
    case garbage(InvalidFrame)
  }
  let kind: Kind

  /// Whether it affects a connection rather than one request.
  var affectsConnection: Bool {
    switch kind {
    case .goAway, .settings, .drop, .refuseConnections, .halfOpen, .garbage: true
    case .stall, .resetStream, .answer, .latency: false
    }
  }

  /// Sends GOAWAY with a reason; streams above the last one are not processed.
  ///
  /// The connection is closed a second after its last answer, or after ``FaultScript/Rule/lasting``. Until then, frames that
  /// the provider had already sent are read but not answered. ``drop`` closes at once.
  ///
  /// - Parameters:
  ///   - lastStream: The last stream that is processed; `nil` for that of the request.
  ///   - reason: The `reason` of the debug data.
  ///   - code: The error code of RFC 9113 section 7.
  /// - Returns: The fault.
  public static func goAway(
    lastStream: Int32? = nil, reason: String = "Shutdown", code: UInt32 = 0
  ) -> Fault { Fault(kind: .goAway(lastStream: lastStream, reason: reason, code: code)) }

  /// Changes the number of streams that the connection may have.
  ///
  /// - Parameter streams: The new limit.
  /// - Returns: The fault.
  public static func limit(_ streams: UInt32) -> Fault {
    Fault(kind: .settings(limit: streams, window: nil))
  }

  /// Reads bodies slowly, by a small flow-control window for each stream.
  ///
  /// - Parameter window: The window in bytes; the protocol's default is 65,535.
  /// - Returns: The fault.
  public static func slowReading(window: UInt32 = 16) -> Fault {
    Fault(kind: .settings(limit: nil, window: window))
  }

  /// Changes both settings in one frame.
  ///
  /// - Parameters:
  ///   - limit: SETTINGS_MAX_CONCURRENT_STREAMS; `nil` if it does not change.
  ///   - window: SETTINGS_INITIAL_WINDOW_SIZE; `nil` if it does not change.
  /// - Returns: The fault.
  public static func settings(limit: UInt32? = nil, window: UInt32? = nil) -> Fault {
    Fault(kind: .settings(limit: limit, window: window))
  }

  /// Accepts the request and never answers it.
  public static let stall = Fault(kind: .stall)
  /// Refuses the request as not processed (RST_STREAM with REFUSED_STREAM).
  public static let refuse = Fault(kind: .resetStream(7))
  /// Closes the connection at once with a TCP reset.
  public static let drop = Fault(kind: .drop)
  /// Closes all connections with a TCP reset and refuses new ones.
  public static let refuseConnections = Fault(kind: .refuseConnections)
  /// Keeps the socket open, and reads and writes nothing.
  public static let halfOpen = Fault(kind: .halfOpen)

  /// Ends the request's stream with an error.
  ///
  /// - Parameter code: The error code of RFC 9113 section 7.
  /// - Returns: The fault.
  public static func resetStream(code: UInt32) -> Fault { Fault(kind: .resetStream(code)) }

  /// Gives a fixed answer, whatever the request.
  ///
  /// - Parameters:
  ///   - status: The status; 200 accepts and delivers the push.
  ///   - reason: Apple's reason, if any.
  ///   - timestamp: With 410, when the token became inactive, in milliseconds since 1970.
  /// - Returns: The fault.
  public static func answer(
    status: Int, reason: String? = nil, timestamp: Int64? = nil
  ) -> Fault { Fault(kind: .answer(status: status, reason: reason, timestamp: timestamp)) }

  /// Delays the answer by a fixed time.
  ///
  /// - Parameter duration: The additional delay.
  /// - Returns: The fault.
  public static func latency(_ duration: Duration) -> Fault { latency(.fixed(duration)) }

  /// Delays the answer by a random time.
  ///
  /// - Parameter latency: The distribution of the additional delay.
  /// - Returns: The fault.
  public static func latency(_ latency: Latency) -> Fault { Fault(kind: .latency(latency)) }

  /// Sends bytes that a server must not send in HTTP/2.
  ///
  /// - Parameter frame: The bytes.
  /// - Returns: The fault.
  public static func garbage(_ frame: InvalidFrame) -> Fault { Fault(kind: .garbage(frame)) }
}
