import PushModel
import Synchronization

/// The waiting requests of a store, which are committed together.
final class WriteGroups: Sendable {
  /// A sequence of an app's requests that are committed one after the other, in parallel to other lanes.
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
  /// The last known numbers of apps, by their ids.
  private let numbers = Mutex<[String: Int64]>([:])
  /// The most rows of a request that is committed with others.
  static let rowLimit = 32

  /// Makes groups without requests.
  ///
  /// `lanes` is the number of groups of an app's reports that are under way at once. With two lanes, one group is
  /// prepared while the other is committed.
  init(lanes: Int) { self.lanes = lanes }

  /// The last known number of an app; `nil` if no number is known.
  ///
  /// If an app was deleted and added again with the same id, its number may have changed, and another app may have
  /// the old number.
  func number(ofApp id: String) -> Int64? { numbers.withLock { $0[id] } }

  func note(_ number: Int64, ofApp id: String) { numbers.withLock { $0[id] = number } }

  /// The lane of a report; reports of one device are in the same lane.
  func lane(of request: ReportRequest, app: String) -> Lane {
    let device =
      switch request.report {
      case .receipts(let receipts): receipts.first?.device
      case .opening(let device): device
      }
    return Lane(app: app, number: Int(UInt(bitPattern: device.hashValue) % UInt(lanes)))
  }
}
