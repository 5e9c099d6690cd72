import Markup
import PushStore

/// The devices of an app in the order in which they came, or those that were searched for.
struct DeviceList {
  var visit: Visit
  var search: String?
  var devices: [Device]
  var isFirst: Bool
  var hasMore: Bool

  private var path: String { visit.path(.devices) }

  var html: HTML {
    """
    <div class="head"><h1>Devices</h1></div>
    <form method="get" action="\(path)" class="row" role="search">
    <label for="search" class="hidden">Device id, user id or push token</label>
    <input id="search" name="search" placeholder="Device id, user id or push token" value="\(search ?? "")" \
    autocomplete="off" spellcheck="false" autocapitalize="none" aria-describedby="search-help">
    <button>Search</button></form>
    <p class="help" id="search-help">The whole id, as the app sent it, or the first 8 characters or more \
    of a push token. A user's devices are those that have the app still.</p>
    \(devices.isEmpty ? nothing : table)
    """
  }

  private var nothing: HTML {
    if let search {
      return """
        <p class="note" role="status">No device and no user has the id <code>\(search)</code>, and no \
        push token begins so. \
        <a href="\(path)">All devices</a></p>
        """
    }
    guard isFirst else { return "<p><a class=\"button\" href=\"\(path)\">First devices</a></p>" }
    return """
      <div class="card empty"><h2>No device yet</h2>
      <p>A device is here once the app on it has sent its push token, with the device key of the \
      app:</p>
      <p><code>PUT /v6/devices/DEVICE-ID</code></p>
      <p>Devices of another service come as a CSV to <code>POST /v6/devices/import</code>.</p></div>
      """
  }

  private var table: HTML {
    let table: HTML = """
      <table>
      <caption>\(caption)</caption>
      <thead><tr><th scope="col">Device</th><th scope="col">Push</th><th scope="col">User</th>\
      <th scope="col">System</th><th scope="col">App</th><th scope="col">Tags</th>\
      <th scope="col">Last opened</th></tr></thead>
      <tbody>\(devices.map(row))</tbody>
      </table>
      """
    return
      "\(HTML.table("Devices", table))<div class=\"row\">\(first)\(next)</div>"
  }

  private var caption: String {
    let count = "\(devices.count) \(devices.count == 1 ? "device" : "devices")"
    return search.map { "\(count) for \($0)" } ?? "\(count), in the order in which they came"
  }

  private var first: HTML? {
    isFirst && search == nil ? nil : "<a class=\"button\" href=\"\(path)\">First</a>"
  }

  private var next: HTML? {
    guard hasMore, let last = devices.last else { return nil }
    let query = search.map { "&search=" + Form.encoded($0) } ?? ""
    return "<a class=\"button\" href=\"\(path)?above=\(last.number)\(query)\">Next</a>"
  }

  private func row(_ device: Device) -> HTML {
    let tags = device.tags.prefix(3).joined(separator: ", ") + (device.tags.count > 3 ? ", …" : "")
    let system = [device.platform, device.osVersion].compactMap(\.self).joined(separator: " ")
    return """
      <tr><th scope="row"><a href="\(path)/\(device.id)"><code>\(device.id)</code></a></th>\
      <td>\(device.pushTag)</td><td>\(device.userID ?? "–")</td><td>\(system)</td>\
      <td>\(device.appVersion ?? "–")</td><td>\(tags.isEmpty ? "–" : tags)</td>\
      <td>\(device.lastOpenedAt.map(HTML.time) ?? "–")</td></tr>
      """
  }
}

extension Device {
  /// Whether a push reaches it, in a word or two.
  var pushTag: HTML {
    if erasedAt != nil { return "<span class=\"tag bad\">erased</span>" }
    if uninstalledAt != nil { return "<span class=\"tag bad\">uninstalled</span>" }
    if token == nil { return "<span class=\"tag wait\">no token</span>" }
    if !isPushEnabled { return "<span class=\"tag wait\">off</span>" }
    return "<span class=\"tag good\">on</span>"
  }
}
