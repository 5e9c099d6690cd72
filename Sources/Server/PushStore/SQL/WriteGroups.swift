import Synchronization

/// The requests of a store that wait to be committed together.
final class WriteGroups: Sendable {
  /// The requests of an app that follow each other; those of other lanes are committed beside them.
  struct Lane: Hashable {
    var app: String
    var number = 0
  }

  let reports = CallGroups<Lane, ReportRequest, Int>()
  let events = CallGroups<String, EventRequest, Int>()
  let impressions = CallGroups<String, ImpressionRequest, Bool>()
  let targets = SendTargets()
  let triggers = TriggerIndex()
  private let lanes: Int
  /// The numbers of the apps that were written to, by their ids.
  private let numbers = Mutex<[String: Int64]>([:])
  /// The most rows of one request that is committed with others.
  static let rowLimit = 32

  /// Makes groups without requests.
  ///
  /// `lanes` is the number of groups of an app's reports that are under way at once: with two, one is
  /// prepared while the other one is committed.
  init(lanes: Int) { self.lanes = lanes }

  /// The number that an app had when it was noted; `nil` where none was.
  ///
  /// An app that was deleted, and added again under its id, may have another one, and another app the one it had.
  func number(ofApp id: String) -> Int64? { numbers.withLock { $0[id] } }

  func note(_ number: Int64, ofApp id: String) { numbers.withLock { $0[id] = number } }

  /// The lane of a report; those of one device follow each other.
  func lane(of request: ReportRequest, app: String) -> Lane {
    let device =
      switch request.report {
      case .receipts(let receipts): receipts.first?.device
      case .opening(let device): device
      }
    return Lane(app: app, number: Int(UInt(bitPattern: device.hashValue) % UInt(lanes)))
  }
}
