import PushModel
import _Bitmaps

/// The outcomes of a transactional send: the devices that got it, that have removed the app, and that failed.
struct TransactionalOutcome: Sendable {
  var send: String
  var success = 0
  var uninstalled = 0
  /// The ids of the devices for which Apple did not accept the push, in the order of their numbers.
  var failures: [String]

  /// Reads the outcomes of a send that is over; `devices` are those that it was for.
  init(of send: Send, to devices: DeviceNumbers, _ store: any PushStore) async throws {
    self.send = send.id
    var failed = devices.bitmap
    var cursor: String?
    repeat {
      let page = try await store.outcomes(of: send.id, app: send.app, after: cursor)
      for outcome in page.elements {
        switch outcome.result {
        case .sent: success += 1
        case .uninstalled: uninstalled += 1
        case .rejected:
          failed.insert(outcome.device)
          continue
        }
        failed.remove(outcome.device)
      }
      cursor = page.cursor
    } while cursor != nil
    failures = try await store.deviceIDs(app: send.app, numbers: DeviceNumbers(failed))
      .sorted { $0.key < $1.key }.map(\.value)
  }
}
