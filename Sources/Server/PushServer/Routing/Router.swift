import Foundation
import PhoneCards
import PushModel
import PushPayload
import Synchronization
import _HTTPServer

/// The way of a request through the server: finds its route, checks its head, calls the handler and answers errors.
///
/// It has the routes of the API, and serves those of the dashboard's pages, which are given to it.
package final class Router: Sendable {
  /// The parts of the server, and what may be done with them.
  let actions: Actions
  /// The version of this program, which the OpenAPI document and the metrics name.
  let version: String
  /// The OpenAPI 3.1 documents of ``routes``.
  let document: ServedDocument
  /// The requests of each address and each key, for the rate limits.
  let publicCallers = Mutex(RateLimiter())
  let limitedKeys = Mutex(RateLimiter())
  /// The times of the uses of keys that this node has recorded within the last hour.
  let keyUses = Mutex<[String: Timestamp]>([:])
  /// Called with each answered request; `nil` if requests are not logged.
  let requests: (@Sendable (RequestLine) -> Void)?
  let table: RouteTable
  let unknownPage: @Sendable (_ message: String, _ status: Int) -> HTTPResponse
  private let isPreparing = Mutex(false)

  var store: any PushStore { actions.store }
  var audiences: Audiences { actions.audiences }
  var secretKey: SecretKey { actions.secretKey }
  var clock: ServerClock { actions.clock }
  var metrics: ServerMetrics { actions.metrics }
  var site: SiteSettings { actions.site }
  var uploads: Uploads? { actions.uploads }
  var cards: CardProcess { actions.cards }
  var openID: OpenIDClient? { actions.openID }
  var tracer: Tracer? { actions.tracer }

  func log(_ line: LogLine) { actions.log(line) }

  /// Makes a router.
  ///
  /// `pages` are routes that are served beside ``routes``, and `unknownPage` answers browsers at other paths.
  /// `requests` is called with each answered request.
  init(
    _ actions: Actions, version: String = "0", pages: [Route] = [],
    unknownPage: @escaping @Sendable (_ message: String, _ status: Int) -> HTTPResponse = {
      .json(status: $1, ["error": .string($0)])
    },
    requests: (@Sendable (RequestLine) -> Void)? = nil
  ) {
    self.actions = actions
    self.version = version
    table = RouteTable(Self.routes + pages)
    self.unknownPage = unknownPage
    document = ServedDocument(version: version)
    self.requests = requests
  }

  // MARK: Readiness

  /// Whether the audiences of all apps are indexed.
  var isReady: Bool { !isPreparing.withLock(\.self) }

  /// Makes the server not ready until ``prepareAudiences()`` has ended.
  package func beginPreparing() { isPreparing.withLock { $0 = true } }

  /// Indexes the audiences of every app, so that no request waits for it.
  package func prepareAudiences() async {
    while !Task.isCancelled {
      do throws(StoreError) {
        for app in try await store.apps() { try await audiences.prepare(app: app.id) }
        isPreparing.withLock { $0 = false }
        return await actions.reportFills()
      } catch {
        log(LogLine("indexing the audiences failed, retrying in 1 s: \(error.message)"))
        guard (try? await clock.sleep(.seconds(1))) != nil else { return }
      }
    }
  }
}
