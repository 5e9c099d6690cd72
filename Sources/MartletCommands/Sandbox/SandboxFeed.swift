import APNsSandbox
import Foundation
import Markup

/// The last requests that came to the sandbox, and those who watch them on the page.
actor SandboxFeed {
  /// How many rows are kept; the oldest goes.
  static let rowLimit = 200
  /// How many watch at once.
  static let watcherLimit = 32
  /// How much waits to be read: what comes faster leaves gaps.
  private static let backlog = 1000

  private enum News: Sendable {
    case journal(String)
    case shown(SandboxRow.Place, ForwardedPush)
  }

  private nonisolated let inbox: AsyncStream<News>.Continuation
  private let news: AsyncStream<News>
  /// The newest last, each with the number of its latest change.
  private var rows: [(row: SandboxRow, change: Int)] = []
  private var lastNumber = 0
  private(set) var lastChange = 0
  private var watchers: [Int: AsyncStream<[UInt8]>.Continuation] = [:]
  private var nextWatcher = 0

  init() {
    (news, inbox) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.backlog))
  }

  // MARK: In

  /// Takes a line of the journal, without waiting.
  nonisolated func add(line: String) { inbox.yield(.journal(line)) }

  /// Takes what a phone shows of a push whose line came before, without waiting.
  nonisolated func add(_ shown: ForwardedPush, of delivery: SandboxDelivery) {
    let place = SandboxRow.Place(
      connection: Int64(delivery.connection), stream: Int64(delivery.stream))
    inbox.yield(.shown(place, shown))
  }

  /// Reads what comes, and lets the watchers know now and then that it lives, until it is cancelled.
  func run(clock: any Clock<Duration> = ContinuousClock()) async {
    await withTaskGroup { group in
      group.addTask { [news] in for await next in news { await self.take(next) } }
      group.addTask {
        // A watcher that has gone is noticed by what it is sent.
        while (try? await clock.sleep(for: .seconds(15))) != nil { await self.tell(": alive\n\n") }
      }
      await group.waitForAll()
    }
    for watcher in watchers.values { watcher.finish() }
  }

  private func take(_ news: News) {
    let index: Int
    switch news {
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
    if !watchers.isEmpty { tell(Self.event(rows[index])) }
  }

  // MARK: Out

  /// The rows as list items, the newest first, and the number of the latest change in them.
  var page: (rows: [HTML], change: Int) { (rows.reversed().map(\.row.html), lastChange) }

  /// The picture of a row.
  func card(ofRow number: Int) -> String? {
    rows.first { $0.row.number == number }?.row.shown?.card
  }

  /// What changed after a change, and from then on what changes; `nil` where too many watch.
  ///
  /// A number that is not reached is of an earlier sandbox, whose rows are no more.
  func watch(after change: Int) -> AsyncStream<[UInt8]>? {
    guard watchers.count < Self.watcherLimit else { return nil }
    let (stream, watcher) = AsyncStream<[UInt8]>.makeStream(
      bufferingPolicy: .bufferingNewest(2 * Self.rowLimit))
    let id = nextWatcher
    nextWatcher += 1
    watchers[id] = watcher
    watcher.onTermination = { [weak self] _ in Task { await self?.forget(id) } }
    let isOfAnother = change > lastChange
    watcher.yield(Array((isOfAnother ? "event: reset\ndata:\n\n" : ": here\n\n").utf8))
    for row in rows.sorted(by: { $0.change < $1.change })
    where isOfAnother || row.change > change {
      watcher.yield(Array(Self.event(row).utf8))
    }
    return stream
  }

  var watcherCount: Int { watchers.count }

  private func forget(_ id: Int) { watchers[id] = nil }

  private func tell(_ text: String) {
    let bytes = Array(text.utf8)
    for watcher in watchers.values { watcher.yield(bytes) }
  }

  /// A server-sent event: WHATWG HTML, section 9.2.
  private static func event(_ row: (row: SandboxRow, change: Int)) -> String {
    let lines = row.row.html.markup.split(separator: "\n").map { "data: \($0)\n" }.joined()
    return "id: \(row.change)\n\(lines)\n"
  }
}
