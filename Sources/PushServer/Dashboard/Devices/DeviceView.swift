import Markup
import PushPayload
import PushStore

/// One device: all that is known of it, but neither its whole token nor its secret.
struct DeviceView {
  /// What a person types so that a device is forgotten.
  static let word = "erase"

  var visit: Visit
  var device: Device
  var problem: String?
  /// Whether tests go to it.
  var isTest = false

  var html: HTML {
    """
    <p><a href="\(visit.path(.devices))">Devices</a></p>
    <h1><code>\(device.id)</code></h1>
    \(problem.map(HTML.alert))
    \(device.erasedAt.map(erased) ?? known)
    """
  }

  private func erased(_ time: Timestamp) -> HTML {
    """
    <p class="note" role="status">Erased at \(.time(time)). Nothing is known of this device but its id, \
    and an update with this id is answered 451, for good.</p>
    """
  }

  private var known: HTML {
    """
    <p>\(device.pushTag) \
    \("<span class=\"tag\">development</span>", if: device.isDevelopment) \
    \("<span class=\"tag\">test</span>", if: isTest)</p>
    \(testing)
    <div class="columns">\(push)\(phone)</div>
    \(tags)\(attributes)\(events)\(erasure)
    """
  }

  private var testing: HTML {
    """
    <form method="post" action="\(visit.path(.devices))">\(visit.session.tokenField)
    <input type="hidden" name="device" value="\(device.id)">
    <button name="action" value="\(isTest ? "no-test" : "test")">\
    \(isTest ? "No longer a test device" : "Make it a test device")</button>
    <p class="help">The composer offers test devices first, and the audience “Test devices” is all of \
    them.</p></form>
    """
  }

  // MARK: Facts

  private var push: HTML {
    .facts(
      "Push",
      [
        ("User", device.userID.map(HTML.text)), ("Email", device.userEmail.map(HTML.text)),
        ("Push token", device.token.map { "<code>…\($0.suffix(8))</code>" }),
        ("Registered", device.tokenAt.map(HTML.time)),
        ("Allowed by the person", .text(device.isPushEnabled ? "yes" : "no")),
        ("Apple's host", .text(device.isDevelopment ? "development" : "production")),
        ("Payloads", .text(isSealed ? "sealed for its key" : "in the clear")),
        ("Badge", device.badge.map { "\($0)" }),
        ("Uninstalled", device.uninstalledAt.map(HTML.time)),
      ])
  }

  private var phone: HTML {
    .facts(
      "Phone",
      [
        ("Platform", .text(device.platform)), ("System", device.osVersion.map(HTML.text)),
        ("App", device.appVersion.map(HTML.text)), ("Library", device.sdkVersion.map(HTML.text)),
        ("Language", device.locale.map(HTML.text)), ("Time zone", device.timeZone.map(HTML.text)),
        ("Location", place.map(HTML.text)), ("Came", .time(device.createdAt)),
        ("Last opened", device.lastOpenedAt.map(HTML.time)), ("Changed", .time(device.updatedAt)),
      ])
  }

  private var isSealed: Bool { device.publicKey != nil && device.authSecret != nil }

  private var place: String? {
    let location = device.location
    var parts = [location.city, location.country].compactMap(\.self)
    if let latitude = location.latitude, let longitude = location.longitude {
      parts.append("\(latitude), \(longitude)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: What the app says of it

  private var tags: HTML {
    let tags = device.tags.map { "<span class=\"tag\">\($0)</span>\n" as HTML }
    return """
      <h2>Tags</h2><p class="row tags">\(tags)\("<span class=\"muted\">None</span>", if: tags.isEmpty)</p>
      """
  }

  private var attributes: HTML {
    let rows = device.attributes.sorted { $0.key < $1.key }.map { name, attribute -> HTML in
      """
      <tr><th scope="row">\(name)</th><td>\(attribute.kind.rawValue)</td>\
      <td>\(attribute.value.words)</td></tr>
      """
    }
    guard !rows.isEmpty else { return "<h2>Attributes</h2><p class=\"muted\">None</p>" }
    let table: HTML = """
      <table><caption class="hidden">Attributes</caption><thead><tr><th scope="col">Name</th>\
      <th scope="col">Type</th><th scope="col">Value</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return "<h2>Attributes</h2>\(HTML.table("Attributes", table))"
  }

  private var events: HTML {
    let rows = device.events.sorted { $0.key < $1.key }.map { name, event -> HTML in
      """
      <tr><th scope="row">\(name)</th><td class="number">\(event.count)</td>\
      <td>\(.time(event.first))</td><td>\(.time(event.last))</td></tr>
      """
    }
    guard !rows.isEmpty else { return "<h2>Events</h2><p class=\"muted\">None</p>" }
    let table: HTML = """
      <table><caption class="hidden">Events</caption><thead><tr><th scope="col">Name</th>\
      <th scope="col" class="number">Times</th><th scope="col">First</th>\
      <th scope="col">Last</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return "<h2>Events</h2>\(HTML.table("Events", table))"
  }

  private var erasure: HTML {
    """
    <h2>Erase</h2>
    <details\(" open", if: problem != nil)><summary>Erase this device</summary>
    <form method="post" action="\(visit.path(.devices))">
    \(visit.session.tokenField)
    <input type="hidden" name="device" value="\(device.id)">
    <p>All that is known of it is forgotten: token, user, tags, attributes and events. Only its id \
    stays: an update with it is answered 451 from then on, so the app must make a new one. Nothing \
    brings it back.</p>
    <label for="word">Type <code>\(Self.word)</code> to confirm</label>
    <input id="word" name="word" required autocomplete="off" autocapitalize="none" \
    spellcheck="false"\(" aria-invalid=\"true\"", if: problem != nil)>
    <p><button class="danger" name="action" value="erase">Erase it for good</button></p>
    </form></details>
    """
  }
}

extension HTML {
  static func text(_ text: String) -> HTML { "\(text)" }

  /// A card of what is known; what is not stands there as a dash.
  static func facts(_ title: String, _ facts: [(name: String, value: HTML?)]) -> HTML {
    let rows = facts.map { "<dt>\($0.name)</dt><dd>\($0.value ?? "–")</dd>\n" as HTML }
    return "<section class=\"card\"><h2>\(title)</h2><dl class=\"facts\">\(rows)</dl></section>"
  }
}

extension JSONValue {
  /// As a person reads it: text without its quotes.
  var words: String { string ?? String(decoding: serialized(), as: UTF8.self) }
}
