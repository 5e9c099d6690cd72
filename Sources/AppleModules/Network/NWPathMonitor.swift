public import Dispatch
import Synchronization
@_spi(Host) import UserNotifications

/// Apple's `NWInterface`, of which this model has the types.
///
/// Source: Apple, `NWInterface`.
public struct NWInterface: Hashable, Sendable {
  /// The kind of a network.
  public enum InterfaceType: Hashable, Sendable {
    /// A network of another kind.
    case other
    /// A wireless network.
    case wifi
    /// A mobile network.
    case cellular
    /// A cable.
    case wiredEthernet
    /// The phone itself.
    case loopback
  }

  /// The kind.
  public let type: InterfaceType
}

/// Apple's `NWPath`, the state of the network, which here is always a wireless one.
///
/// Source: Apple, `NWPath`.
public struct NWPath: Hashable, Sendable {
  /// Whether requests can be made.
  public enum Status: Hashable, Sendable {
    /// They can.
    case satisfied
    /// They cannot.
    case unsatisfied
    /// They can after a connection was made.
    case requiresConnection
  }

  /// Whether requests can be made.
  public let status: Status
  /// Whether the network costs money.
  public var isExpensive: Bool { false }
  /// Whether the user asked to save data.
  public var isConstrained: Bool { false }
  /// The interfaces.
  public let availableInterfaces: [NWInterface]

  /// Returns whether an interface of a kind is used.
  ///
  /// - Parameter type: The kind.
  /// - Returns: Whether one is used.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    availableInterfaces.contains { $0.type == type }
  }

  static let wifi = NWPath(status: .satisfied, availableInterfaces: [NWInterface(type: .wifi)])
}

/// Apple's `NWPathMonitor`, which here says once that there is a wireless network.
///
/// The phone's network, with its hosts that cannot be reached, is met by requests.
///
/// Source: Apple, `NWPathMonitor`.
public final class NWPathMonitor: Sendable {
  private struct State {
    var handler: (@Sendable (NWPath) -> Void)?
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Creates a monitor of all networks.
  public init() {}

  /// Creates a monitor of the networks of a kind.
  ///
  /// - Parameter requiredInterfaceType: Unused: the network is a wireless one.
  public init(requiredInterfaceType: NWInterface.InterfaceType) {}

  /// The state of the network.
  public var currentPath: NWPath {
    notModelled("NWPathMonitor", "there is always a wireless network; a request meets the phone's")
    return .wifi
  }

  /// Called with the state of the network.
  public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { state.withLock { $0.handler } }
    set { state.withLock { $0.handler = newValue } }
  }

  /// Calls the handler.
  ///
  /// - Parameter queue: The queue on which it is called.
  public func start(queue: DispatchQueue) {
    queue.async { [weak self] in
      guard let self else { return }
      let handler = state.withLock { $0.isCancelled ? nil : $0.handler }
      guard let handler else { return }
      handler(currentPath)
    }
  }

  /// Ends the monitor.
  public func cancel() {
    state.withLock {
      $0.isCancelled = true
      $0.handler = nil
    }
  }
}

/// Apple's `NWConnection`, which does not exist here.
@available(
  *, unavailable,
  message: "Network on Linux has no connections; use URLSession, or test this on a phone."
)
public enum NWConnection {}

/// Apple's `NWListener`, which does not exist here.
@available(*, unavailable, message: "Network on Linux has no connections; test this on a phone.")
public enum NWListener {}
