/// What a sandbox does wrong on purpose, and when.
///
/// A script is a list of rules. Each says with ``Rule/after``, ``Rule/at``, ``Rule/token`` and
/// ``Rule/every`` when it holds (all that are given must) and with ``Rule/fault`` what happens then.
/// Every rule that holds for a request is obeyed, in order, but it is answered by the first that
/// answers. Read one from a file with ``init(json:)``; `docs/sandbox.md` has the keys.
public struct FaultScript: Hashable, Sendable {
  /// The rules, in the order in which they are looked at.
  public var rules: [Rule]

  /// Makes a script.
  ///
  /// - Parameter rules: The rules, in the order in which they are looked at; none is no fault.
  public init(_ rules: [Rule] = []) { self.rules = rules }

  /// One fault and when it is committed.
  public struct Rule: Hashable, Sendable {
    /// Holds once this many requests have come to the sandbox.
    public var after: Int?
    /// Holds from this long after the sandbox began to listen; a fault of the connection needs no
    /// request then, and befalls all connections; with a ``count`` above 1 the next requests meet it too.
    public var at: Duration?
    /// Holds for requests to this device token alone, in either letter case.
    public var token: String?
    /// Holds for each request whose number is a multiple of this.
    public var every: Int?
    /// How often it happens; `nil`, the default, is once with ``after`` or ``at`` or where the fault is
    /// one of the connection, and each time otherwise.
    public var count: Int?
    /// How long it lasts: a fault of the connection is undone then, one of a request happens to each
    /// request until then.
    public var lasting: Duration?
    /// What happens.
    public var fault: Fault

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - fault: What happens.
    ///   - after: How many requests come before.
    ///   - at: How long the sandbox has listened before.
    ///   - token: The device token that it is for.
    ///   - every: Of how many requests one meets it.
    ///   - count: How often it happens.
    ///   - lasting: How long it lasts.
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

/// Something that a server can do wrong.
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

  /// Whether it befalls a connection rather than one request.
  var isOfConnection: Bool {
    switch kind {
    case .goAway, .settings, .drop, .refuseConnections, .halfOpen, .garbage: true
    case .stall, .resetStream, .answer, .latency: false
    }
  }

  /// Says GOAWAY with a reason: streams above the last one are not processed.
  ///
  /// - Parameters:
  ///   - lastStream: The last stream that is processed; `nil` is the one of the request.
  ///   - reason: The `reason` of the debug data.
  ///   - code: The error code of RFC 9113 section 7.
  /// - Returns: The fault.
  public static func goAway(
    lastStream: Int32? = nil, reason: String = "Shutdown", code: UInt32 = 0
  ) -> Fault { Fault(kind: .goAway(lastStream: lastStream, reason: reason, code: code)) }

  /// Allows the connection another number of streams.
  ///
  /// - Parameter streams: The new limit.
  /// - Returns: The fault.
  public static func limit(_ streams: UInt32) -> Fault {
    Fault(kind: .settings(limit: streams, window: nil))
  }

  /// Reads bodies slowly: a stream may have only so many bytes under way.
  ///
  /// - Parameter window: How many; 65,535 is the protocol's own.
  /// - Returns: The fault.
  public static func slowReading(window: UInt32 = 16) -> Fault {
    Fault(kind: .settings(limit: nil, window: window))
  }

  /// Changes both settings in one frame.
  ///
  /// - Parameters:
  ///   - limit: SETTINGS_MAX_CONCURRENT_STREAMS, where it changes.
  ///   - window: SETTINGS_INITIAL_WINDOW_SIZE, where it changes.
  /// - Returns: The fault.
  public static func settings(limit: UInt32? = nil, window: UInt32? = nil) -> Fault {
    Fault(kind: .settings(limit: limit, window: window))
  }

  /// Takes the request and never answers it.
  public static let stall = Fault(kind: .stall)
  /// Says that the request was not processed (RST_STREAM with REFUSED_STREAM).
  public static let refuse = Fault(kind: .resetStream(7))
  /// Takes the connection away at once, with a TCP reset.
  public static let drop = Fault(kind: .drop)
  /// Takes all connections away and refuses new ones.
  public static let refuseConnections = Fault(kind: .refuseConnections)
  /// Keeps the socket, reads nothing and says nothing any more.
  public static let halfOpen = Fault(kind: .halfOpen)

  /// Ends the request's stream with an error.
  ///
  /// - Parameter code: The error code of RFC 9113 section 7.
  /// - Returns: The fault.
  public static func resetStream(code: UInt32) -> Fault { Fault(kind: .resetStream(code)) }

  /// Answers with this, whatever the request.
  ///
  /// - Parameters:
  ///   - status: The status; 200 accepts and delivers.
  ///   - reason: Apple's reason, if any.
  ///   - timestamp: With 410 when the token went, in milliseconds since 1970.
  /// - Returns: The fault.
  public static func answer(
    status: Int, reason: String? = nil, timestamp: Int64? = nil
  ) -> Fault { Fault(kind: .answer(status: status, reason: reason, timestamp: timestamp)) }

  /// Answers this much later.
  ///
  /// - Parameter duration: How long the answer waits in addition.
  /// - Returns: The fault.
  public static func latency(_ duration: Duration) -> Fault { latency(.fixed(duration)) }

  /// Answers later, by another time each.
  ///
  /// - Parameter latency: How long the answer waits in addition.
  /// - Returns: The fault.
  public static func latency(_ latency: Latency) -> Fault { Fault(kind: .latency(latency)) }

  /// Sends what no HTTP/2 server may send.
  ///
  /// - Parameter garbage: What it sends.
  /// - Returns: The fault.
  public static func garbage(_ garbage: InvalidFrame) -> Fault { Fault(kind: .garbage(garbage)) }
}
