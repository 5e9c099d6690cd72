import Markup
import PushModel
import PushPayload

/// The page of one device, which shows neither its whole push token nor its secret.
struct DeviceView {
  /// The word that a user types to confirm the erasure of a device.
  static let confirmationWord = "erase"

  var request: PageRequest
  var device: Device
  var problem: String?
  /// Whether the device is a test device.
  var isTest = false
  /// What was sent to the device; `nil` if it was erased.
  var history: PersonHistory?
  var reloads: DeviceReloads?

  private var path: String { PersonPages.path(request) }
  private var person: AppPerson? { AppPerson([device]) }

  var html: HTML {
    """
    <p><a href="\(path)">People</a>\(owner)</p>
    <h1><code>\(device.id)</code></h1>
    \(problem.map { HTML.problem($0) })
    \(device.erasedAt.map(erasedNote) ?? details)
    """
  }

  /// The link to the person whose device this is; `nil` if the device stands for the person.
  private var owner: HTML? {
    guard let person, let user = person.userID else { return nil }
    return " / <a href=\"\(person.path(request))\">\(person.name ?? user)</a>"
  }

  private func erasedNote(_ time: Timestamp) -> HTML {
    """
    <p class="note" role="status">Erased at \(.time(time)). Only the ID of this device is kept. The API \
    answers updates with this ID with status 451.</p>
    """
  }

  private var details: HTML {
    """
    <p>\(device.pushTag) \
    \("<span class=\"tag\">development</span>", if: device.isDevelopment) \
    \("<span class=\"tag\">test</span>", if: isTest)</p>
    \(request.may(.write) ? testDeviceForm : nil)
    <div class="columns">\(push)\(hardware)<div>\(tags)\(attributes)</div></div>
    \(history?.html)
    \(reloads?.html)
    \(events)\(request.may(.erase) ? erasure : nil)
    """
  }

  private var testDeviceForm: HTML {
    """
    <form method="post" action="\(path)/devices">\(request.session.tokenField)
    <input type="hidden" name="device" value="\(device.id)">
    <button name="action" value="\(isTest ? "no-test" : "test")">\
    \(isTest ? "Remove from test devices" : "Mark as test device")</button>
    <p class="help">The composer lists test devices first, and the audience “Test devices” contains \
    them all.</p></form>
    """
  }

  // MARK: The device

  private var push: HTML {
    .facts(
      "Push",
      [
        ("User ID", device.userID.map(HTML.text)), ("Email", device.userEmail.map(HTML.text)),
        ("Push token", device.token.map { "<code>…\($0.suffix(8))</code>" }),
        ("Token registered", device.tokenAt.map(HTML.time)),
        ("Opted in", .text(device.isPushEnabled ? "yes" : "no")),
        ("APNs environment", .text(device.isDevelopment ? "development" : "production")),
        ("Payload encryption", .text(isEncrypted ? "on" : "off")),
        ("Badge", device.badge.map { "\($0)" }),
        ("Uninstalled", device.uninstalledAt.map(HTML.time)),
      ])
  }

  private var hardware: HTML {
    .facts(
      "Device",
      [
        ("Platform", .text(device.platform)), ("OS version", device.osVersion.map(HTML.text)),
        ("App version", device.appVersion.map(HTML.text)),
        ("SDK version", device.sdkVersion.map(HTML.text)),
        ("Locale", device.locale.map(HTML.text)), ("Time zone", device.timeZone.map(HTML.text)),
        ("Location", location.map(HTML.text)), ("First seen", .time(device.createdAt)),
        ("Last opened", device.lastOpenedAt.map(HTML.time)),
        ("Last updated", .time(device.updatedAt)),
      ])
  }

  private var isEncrypted: Bool { device.publicKey != nil && device.authSecret != nil }

  private var location: String? {
    let location = device.location
    var parts = [location.city, location.country].compactMap(\.self)
    if let latitude = location.latitude, let longitude = location.longitude {
      parts.append("\(latitude), \(longitude)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: Reports of the app

  private var tags: HTML {
    .tags(device.tags)
  }

  private var attributes: HTML {
    .attributes(
      device.attributes.sorted { $0.key < $1.key }.map { name, attribute in
        """
        <dt>\(name)</dt><dd>\(attribute.value.displayText) \
        <span class="muted">\(attribute.kind.rawValue)</span></dd>

        """
      })
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
      <th scope="col" class="number">Count</th><th scope="col">First</th>\
      <th scope="col">Last</th></tr></thead><tbody>\(rows)</tbody></table>
      """
    return "<h2>Events</h2>\(HTML.table("Events", table))"
  }

  private var erasure: HTML {
    """
    <h2>Erase</h2>
    <details\(" open", if: problem != nil)><summary>Erase this device</summary>
    <form method="post" action="\(path)/devices">
    \(request.session.tokenField)
    <input type="hidden" name="device" value="\(device.id)">
    <p>Deletes the device's push token, user, tags, attributes and events. Only its ID is kept: the \
    API answers updates with this ID with status 451, so the app must create a new one. This cannot \
    be undone.</p>
    <label for="word">Type <code>\(Self.confirmationWord)</code> to confirm</label>
    <input id="word" name="word" required autocomplete="off" autocapitalize="none" \
    spellcheck="false"\(" aria-invalid=\"true\"", if: problem != nil)>
    <p><button class="danger" name="action" value="erase">Erase permanently</button></p>
    </form></details>
    """
  }
}

extension HTML {
  static func text(_ text: String) -> HTML { "\(text)" }

  /// A card with names and values; a dash stands for a missing value.
  static func facts(_ title: String, _ facts: [(name: String, value: HTML?)]) -> HTML {
    let rows = facts.map { "<dt>\($0.name)</dt><dd>\($0.value ?? "–")</dd>\n" as HTML }
    return "<section class=\"card\"><h2>\(title)</h2><dl class=\"facts\">\(rows)</dl></section>"
  }
}

extension JSONValue {
  /// The value as shown in pages: a string without quotation marks, anything else as JSON.
  var displayText: String { string ?? String(decoding: serialized(), as: UTF8.self) }
}
