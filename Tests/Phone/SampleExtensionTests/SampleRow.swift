import NotificationHost
import Testing

/// One extension and what an iPhone shows of its notification on each network.
struct SampleRow: Sendable, CustomTestStringConvertible {
  /// The extension's class.
  let name: String
  private let cells: [Network: Expected]
  /// Whether the network may make a difference.
  let usesNetwork: Bool
  /// Whether the extension ends or occupies its process, so that it cannot run in that of the tests.
  private(set) var needsProcess = false
  /// Changes the phone's behavior.
  private(set) var change: @Sendable (inout HostBehavior) -> Void = { _ in }

  var testDescription: String { name }

  /// A row of an extension that the network does not concern.
  init(_ name: String, _ expected: Expected) {
    self.name = name
    usesNetwork = false
    cells = Dictionary(uniqueKeysWithValues: Network.allCases.map { ($0, expected) })
  }

  /// A row of an extension that uses the network.
  init(
    _ name: String, ok: Expected, notFound: Expected, html: Expected, slow: Expected,
    redirect: Expected, offline: Expected, broken: Expected, large: Expected
  ) {
    self.name = name
    usesNetwork = true
    cells = [
      .ok: ok, .notFound: notFound, .html: html, .slow: slow, .redirect: redirect,
      .offline: offline, .broken: broken, .large: large,
    ]
  }

  subscript(network: Network) -> Expected? { cells[network] }

  var inProcessOfItsOwn: SampleRow {
    var row = self
    row.needsProcess = true
    return row
  }

  /// The row of an extension that computes or waits in `didReceive` until the time is up.
  ///
  /// In a process of its own this takes real time, so its time is shorter than on a phone. The grace is from the warning to
  /// the end: for a reply to the warning as long as a busy machine may take.
  func withTime(of limit: Duration, grace: Duration = .seconds(1)) -> SampleRow {
    changing { ($0.timeLimit, $0.expiryGrace) = (limit, grace) }
  }

  /// The row of an extension with a timer of three seconds that is not on the host's clock.
  ///
  /// Beside other tests the limit is a twentieth of it.
  var withOwnTimer: SampleRow { changing { $0.unseenWorkLimit = .seconds(1200) } }

  private func changing(_ change: @escaping @Sendable (inout HostBehavior) -> Void) -> SampleRow {
    var row = self
    row.change = change
    return row
  }
}

/// The table of all extensions.
///
/// The expectations are written by hand from the rules of docs/app/ios-model.md. Where a row does not say otherwise, the
/// extension runs in the host's process and in its own with the same result.
enum SampleTable {
  static let rows = replies + files + media + fetching + failures + sessions + parsing + faults
}
