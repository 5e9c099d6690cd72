import APNsSandbox
import Foundation
import Markup

/// The latest requests to the sandbox, and the clients that watch them on the page.
actor SandboxFeed {
  /// The number of rows that are kept; the oldest is dropped.
  static let rowLimit = 200
  /// The most clients at once.
  static let watcherLimit = 32
  /// The most events that wait to be processed; beyond it the oldest are dropped.
  private static let backlog = 1000

  private enum Event: Sendable {
    case journal(String)
    case shown(SandboxRow.Place, ForwardedPush)
  }

  private nonisolated let inbox: AsyncStream<Event>.Continuation
  private let events: AsyncStream<Event>
  /// The newest last, each with the number of its latest change.
  private var rows: [(row: SandboxRow, change: Int)] = []
  private var lastNumber = 0
  private(set) var lastChange = 0
  private var watchers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  private var nextWatcher = 0

  init() {
    (events, inbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.backlog))
  }

  // MARK: In

  /// Adds a line of the journal, without waiting.
  nonisolated func add(line: String) { inbox.yield(.journal(line)) }

  /// Adds what a phone shows of a push to the push's row, without waiting.
  nonisolated func add(_ shown: ForwardedPush, of delivery: SandboxDelivery) {
    let place = SandboxRow.Place(
      connection: Int64(delivery.connection), stream: Int64(delivery.stream))
    inbox.yield(.shown(place, shown))
  }

  /// Processes events and keeps the clients' connections alive, until the task is cancelled.
  func run(clock: any Clock<Duration> = ContinuousClock()) async {
    await withTaskGroup { group in
      group.addTask { [events] in for await event in events { await self.apply(event) } }
      group.addTask {
        // A client that has disconnected is noticed when something is sent to it.
        while (try? await clock.sleep(for: .seconds(15))) != nil {
          await self.broadcast(": alive\n\n")
        }
      }
      await group.waitForAll()
    }
    for watcher in watchers.values { watcher.finish() }
  }

  private func apply(_ event: Event) {
    let index: Int
    switch event {
    case .journal(let line):
      guard let row = SandboxRow(lastNumber + 1, line: line) else { return }
      lastNumber += 1
      rows.append((row, 0))
      if rows.count > Self.rowLimit { rows.removeFirst() }
      index = rows.count - 1
    case .shown(let place, let shown):
      guard let found = rows.lastIndex(where: { $0.row.place == place }) else { return }
      rows[found].row.shown = shown
      index = found
    }
    lastChange += 1
    rows[index].change = lastChange
    if !watchers.isEmpty { broadcast(Self.event(rows[index])) }
  }

  // MARK: Out

  /// The rows as list items, the newest first, and the number of the latest change in them.
  var page: (rows: [HTML], change: Int) { (rows.reversed().map(\.row.html), lastChange) }

  /// The picture of a row.
  func card(ofRow number: Int) -> String? {
    rows.first { $0.row.number == number }?.row.shown?.card
  }

  /// The changes after one that the client knows, and those to come.
  ///
  /// A number above the latest change is of an earlier run of the sandbox, whose rows are
  /// discarded.
  ///
  /// - Returns: `nil` where ``watcherLimit`` clients watch already.
  func watch(after change: Int) -> AsyncStream<[UInt8]>? {
    guard watchers.count < Self.watcherLimit else { return nil }
    let (stream, watcher) = AsyncStream<[UInt8]>.makeStream(
      bufferingPolicy: .bufferingNewest(2 * Self.rowLimit))
    let id = nextWatcher
    nextWatcher += 1
    watchers[id] = watcher
    watcher.onTermination = { [weak self] _ in Task { await self?.forget(id) } }
    let isOfEarlierRun = change > lastChange
    watcher.yield(Array((isOfEarlierRun ? "event: reset\ndata:\n\n" : ": here\n\n").utf8))
    for row in rows.sorted(by: { $0.change < $1.change })
    where isOfEarlierRun || row.change > change {
      watcher.yield(Array(Self.event(row).utf8))
    }
    return stream
  }

  var watcherCount: Int { watchers.count }

  private func forget(_ id: Int) { watchers[id] = nil }

  private func broadcast(_ text: String) {
    let bytes = Array(text.utf8)
    for watcher in watchers.values { watcher.yield(bytes) }
  }

  /// A server-sent event: WHATWG HTML, section 9.2.
  private static func event(_ row: (row: SandboxRow, change: Int)) -> String {
    let lines = row.row.html.markup.split(separator: "\n").map { "data: \($0)\n" }.joined()
    return "id: \(row.change)\n\(lines)\n"
  }
}
