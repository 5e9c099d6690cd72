import APNsSandbox
import Foundation
import Markup
import PushPayload

/// The latest requests to the sandbox, and the pages that follow them.
actor SandboxFeed {
  /// The most rows that are kept.
  static let rowLimit = 200
  /// The most pages that can follow at once.
  static let watcherLimit = 32
  /// The most unread events; older ones are dropped.
  private static let backlog = 1000

  private enum Event: Sendable {
    case journal(String)
    case shown(SandboxRow.StreamID, ForwardedPush)
  }

  private nonisolated let input: AsyncStream<Event>.Continuation
  private let events: AsyncStream<Event>
  /// The rows with the numbers of their latest changes, with the newest row last.
  private var rows: [(row: SandboxRow, change: Int)] = []
  private var lastNumber = 0
  private(set) var lastChange = 0
  private var watchers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  private var nextWatcher = 0

  init() {
    (events, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.backlog))
  }

  // MARK: Input

  /// Adds a journal line without waiting.
  nonisolated func add(line: String) { input.yield(.journal(line)) }

  /// Adds the card of a push whose journal line was already added, without waiting.
  nonisolated func add(_ shown: ForwardedPush, of delivery: SandboxDelivery) {
    let streamID = SandboxRow.StreamID(
      connection: Int64(delivery.connection), stream: Int64(delivery.stream))
    input.yield(.shown(streamID, shown))
  }

  /// Processes events and sends a comment to the watchers every 15 s, until the task is cancelled.
  func run(clock: any Clock<Duration> = ContinuousClock()) async {
    await withTaskGroup { group in
      group.addTask { [events] in for await event in events { await self.apply(event) } }
      group.addTask {
        // A closed connection is detected when something is sent.
        while (try? await clock.sleep(for: .seconds(15))) != nil { await self.send(": alive\n\n") }
      }
      await group.waitForAll()
    }
    for watcher in watchers.values { watcher.finish() }
  }

  private func apply(_ event: Event) {
    let index: Int
    switch event {
    case .journal(let line):
      guard let journal = try? JSONValue(parsing: Data(line.utf8)),
        let streamID = SandboxRow.StreamID(journal)
      else { return }
      if let delivery = journal["delivery"]?.string {
        guard let found = rows.lastIndex(where: { $0.row.streamID == streamID }) else { return }
        rows[found].row.delivery = delivery
        index = found
      } else {
        lastNumber += 1
        rows.append((SandboxRow(lastNumber, of: streamID, journal), 0))
        if rows.count > Self.rowLimit { rows.removeFirst() }
        index = rows.count - 1
      }
    case .shown(let streamID, let shown):
      guard let found = rows.lastIndex(where: { $0.row.streamID == streamID }) else { return }
      rows[found].row.shown = shown
      index = found
    }
    lastChange += 1
    rows[index].change = lastChange
    if !watchers.isEmpty { send(Self.event(rows[index])) }
  }

  // MARK: Output

  /// The rows as list items with the newest first, and the number of the latest change.
  var page: (rows: [HTML], change: Int) { (rows.reversed().map(\.row.html), lastChange) }

  /// The path of a row's card; `nil` if the row has no card.
  func card(ofRow number: Int) -> String? {
    rows.first { $0.row.number == number }?.row.shown?.card
  }

  /// The changes after the given one, and all later ones; `nil` if too many pages follow.
  ///
  /// A number above that of the latest change is from an earlier run of the sandbox, so the stream
  /// then begins with a `reset` event.
  func watch(after change: Int) -> AsyncStream<[UInt8]>? {
    guard watchers.count < Self.watcherLimit else { return nil }
    let (stream, watcher) = AsyncStream<[UInt8]>.makeStream(
      bufferingPolicy: .bufferingNewest(2 * Self.rowLimit))
    let id = nextWatcher
    nextWatcher += 1
    watchers[id] = watcher
    watcher.onTermination = { [weak self] _ in Task { await self?.removeWatcher(id) } }
    let isFromEarlierRun = change > lastChange
    watcher.yield(Array((isFromEarlierRun ? "event: reset\ndata:\n\n" : ": here\n\n").utf8))
    for row in rows.sorted(by: { $0.change < $1.change })
    where isFromEarlierRun || row.change > change {
      watcher.yield(Array(Self.event(row).utf8))
    }
    return stream
  }

  var watcherCount: Int { watchers.count }

  private func removeWatcher(_ id: Int) { watchers[id] = nil }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    for watcher in watchers.values { watcher.yield(bytes) }
  }

  /// A row as a server-sent event (WHATWG HTML, section 9.2).
  private static func event(_ row: (row: SandboxRow, change: Int)) -> String {
    let lines = row.row.html.markup.split(separator: "\n").map { "data: \($0)\n" }.joined()
    return "id: \(row.change)\n\(lines)\n"
  }
}
