import Markup
import PushModel

/// A count of the last seven whole days beside that of the seven days before.
struct WeekChange: Sendable {
  var title: String
  var change: Change

  /// The counts that the home page shows; the mean of a day where a device counts once a day.
  private static let counters: [(Counter, title: String, isDaily: Bool)] = [
    (.pushesSent, "Pushes sent", false), (.pushesRejected, "Pushes rejected", false),
    (.opens, "App opens", false), (.activeUsers, "Active users a day", true),
    (.installs, "Installs", false), (.uninstalls, "Uninstalls", false),
  ]

  static func all(_ request: PageRequest) async throws -> [WeekChange] {
    let today = CalendarDay(at: request.now)
    var changes: [WeekChange] = []
    for (counter, title, isDaily) in counters {
      let values = try await request.router.store.counts(
        of: counter, app: request.app.id, from: (today + -14).start,
        to: today.start + .milliseconds(-1))
      func sum(_ isCounted: (Timestamp) -> Bool) -> Int {
        let sum = values.filter { isCounted($0.time) }.reduce(0) { $0 + $1.count }
        return isDaily ? Int((Double(sum) / 7).rounded()) : sum
      }
      let middle = (today + -7).start
      changes.append(
        WeekChange(
          title: title, change: Change(now: sum { $0 >= middle }, before: sum { $0 < middle })))
    }
    return changes
  }

  var html: HTML {
    "<div><dt>\(title)</dt><dd>\(.count(change.now))\(change.html)</dd></div>"
  }
}
