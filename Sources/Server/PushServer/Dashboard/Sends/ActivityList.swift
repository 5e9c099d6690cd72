import Markup
import PushModel

/// The Live Activities of an app to which something was sent, the latest first.
struct ActivityList {
  /// The largest number of activities that are listed.
  static let limit = 100
  /// The path below that of the section.
  static let path = "/activities"

  var request: PageRequest
  var activities: [Activity]

  var html: HTML {
    """
    \(MessageTab.activities.bar(request))
    <div class="head"><h1>Live Activities</h1></div>
    \(activities.isEmpty ? empty : table)
    """
  }

  private var empty: HTML {
    """
    <div class="card empty"><h2>Nothing was sent to a Live Activity yet</h2>
    <p>Your server starts a Live Activity on a phone, updates it while something happens, and ends it. Each one stands \
    here once something was sent to it.</p>
    <p><a href="\(HelpTopic.activities.path(app: request.app.id))">How a server sends to Live Activities</a></p></div>
    """
  }

  private var table: HTML {
    let count = activities.count == Self.limit ? "The last \(Self.limit)" : "\(activities.count)"
    let rows: HTML = """
      <table>
      <caption>\(count) \(activities.count == 1 ? "activity" : "activities"), the latest first</caption>
      <thead><tr><th scope="col">Activity</th><th scope="col">Type</th><th scope="col">Last push</th>\
      <th scope="col">At</th><th scope="col" class="number">Phones</th>\
      <th scope="col" class="number">Sent</th><th scope="col" class="number">Failed</th>\
      <th scope="col">Failures</th></tr></thead>
      <tbody>\(activities.map(row))</tbody>
      </table>
      """
    return """
      \(HTML.table("Live Activities", rows))
      <p class="help">Phones have a token for updates now. Sent and Failed count all pushes of the activity.</p>
      """
  }

  private func row(_ activity: Activity) -> HTML {
    let reasons = activity.failures.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key): \($0.value)" }
    return """
      <tr><th scope="row"><code>\(activity.id)</code></th><td>\(activity.type ?? "–")</td>\
      <td>\(activity.last?.event.rawValue ?? "–")</td>\
      <td>\(activity.last.map { .time($0.updatedAt) } ?? "–")</td>\
      <td class="number">\(activity.phones)</td><td class="number">\(activity.counts.sent)</td>\
      <td class="number">\(activity.counts.rejected + activity.counts.uninstalled)</td>\
      <td>\(reasons.isEmpty ? "–" : reasons.joined(separator: ", "))</td></tr>
      """
  }
}
