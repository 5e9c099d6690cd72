import Foundation

/// The process's limit of open files, and the part of it that connections may use.
///
/// A process without a free descriptor cannot open its database or connect to Apple. Without a reserve, 400
/// connections with a limit of 256 files crashed the process with SIGILL.
struct DescriptorLimit: Sendable, Equatable {
  /// The descriptors that the store, the connections to Apple, webhooks, uploads and the runtime may need.
  static let reserve = 160
  /// The fewest connections with which the server starts.
  static let minimumConnections = 32
  /// The descriptors that one connection may need: its socket, and a file of its answer or of its request's body.
  static let perConnection = 2
  static let mostConnections = 4096

  var descriptors: Int

  /// The most connections that leave the reserve free.
  var connections: Int {
    min(Self.mostConnections, (descriptors - Self.reserve) / Self.perConnection)
  }

  /// - Throws: ``CommandFailure`` if the limit leaves too few connections.
  func check() throws {
    let least = Self.reserve + Self.minimumConnections * Self.perConnection
    guard descriptors >= least else {
      throw CommandFailure(
        "this process may open \(descriptors) files, and martlet serve needs \(least); raise the"
          + " limit, with ulimit -n or LimitNOFILE= of the unit")
    }
  }

  /// Raises the soft limit of this process to its hard limit.
  ///
  /// - Returns: The limit in effect.
  static func raised() -> DescriptorLimit {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0 else { return DescriptorLimit(descriptors: 256) }
    if limit.rlim_cur < limit.rlim_max {
      var wanted = limit
      wanted.rlim_cur = limit.rlim_max
      if setrlimit(resource, &wanted) == 0 { limit = wanted }
    }
    return DescriptorLimit(descriptors: Int(clamping: limit.rlim_cur))
  }
}
