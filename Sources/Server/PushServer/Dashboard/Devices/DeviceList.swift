import Markup
import PushModel

/// The list of an app's devices, the oldest first, or the results of a search.
struct DeviceList {
  var request: PageRequest
  var search: String?
  var devices: [Device]
  var isFirst: Bool
  var hasMore: Bool

  private var path: String { request.path(.devices) }

  var html: HTML {
    """
    <div class="head"><h1>Devices</h1></div>
    <form method="get" action="\(path)" class="row" role="search">
    <label for="search" class="hidden">Device ID, user ID or push token</label>
    <input id="search" name="search" placeholder="Device ID, user ID or push token" value="\(search ?? "")" \
    autocomplete="off" spellcheck="false" autocapitalize="none" aria-describedby="search-help">
    <button>Search</button></form>
    <p class="help" id="search-help">A whole device ID or user ID, or at least the first 8 characters of a \
    push token. For a user ID, devices that still have the app are listed.</p>
    \(devices.isEmpty ? emptyNote : table)
    """
  }

  private var emptyNote: HTML {
    if let search {
      let form = PushToken.foreignForm(of: search).map { "The text is \($0.name). " } ?? ""
      return """
        <p class="note" role="status">No device ID or user ID is <code>\(search)</code>, and no push \
        token starts with it. \(form)<a href="\(path)">Show all devices</a></p>
        """
    }
    guard isFirst else { return "<p><a class=\"button\" href=\"\(path)\">First page</a></p>" }
    return """
      <div class="card empty"><h2>No devices yet</h2>
      <p>A device appears once the app has registered it and its push token with the app's device \
      key:</p>
      <p><code>PUT /v6/devices/DEVICE-ID</code></p>
      <p>Import devices of another service as CSV with <code>POST /v6/devices/import</code>.</p></div>
      """
  }

  private var table: HTML {
    let table: HTML = """
      <table>
      <caption>\(caption)</caption>
      <thead><tr><th scope="col">Device</th><th scope="col">Push</th><th scope="col">User</th>\
      <th scope="col">OS version</th><th scope="col">App version</th><th scope="col">Tags</th>\
      <th scope="col">Last opened</th></tr></thead>
      <tbody>\(devices.map(row))</tbody>
      </table>
      """
    return
      "\(HTML.table("Devices", table))<div class=\"row\">\(first)\(next)</div>"
  }

  private var caption: String {
    let count = "\(devices.count) \(devices.count == 1 ? "device" : "devices")"
    return search.map { "\(count) for \($0)" } ?? "\(count), oldest first"
  }

  private var first: HTML? {
    isFirst && search == nil ? nil : "<a class=\"button\" href=\"\(path)\">First page</a>"
  }

  private var next: HTML? {
    guard hasMore, let last = devices.last else { return nil }
    let query = search.map { "&search=" + URLEncoded.encode($0) } ?? ""
    return "<a class=\"button\" href=\"\(path)?above=\(last.number)\(query)\">Next page</a>"
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
  /// Whether the device can receive pushes, as a tag.
  var pushTag: HTML {
    if erasedAt != nil { return "<span class=\"tag bad\">erased</span>" }
    if uninstalledAt != nil { return "<span class=\"tag bad\">uninstalled</span>" }
    if token == nil { return "<span class=\"tag wait\">no token</span>" }
    if !isPushEnabled { return "<span class=\"tag wait\">opted out</span>" }
    return "<span class=\"tag good\">opted in</span>"
  }
}
