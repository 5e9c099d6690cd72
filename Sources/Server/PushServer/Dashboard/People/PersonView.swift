import Markup
import PushModel
import PushPayload

/// The page of a person with a user ID: the devices, tags and attributes, and what was sent.
struct PersonView {
  var request: PageRequest
  var person: AppPerson
  var history: PersonHistory

  var html: HTML {
    """
    <p><a href="\(PersonPages.path(request))">People</a></p>
    <h1>\(person.name ?? person.id)</h1>
    <div class="columns">\(facts)\(tags)\(attributes)</div>
    \(devices)
    \(history.html)
    """
  }

  private var facts: HTML {
    let opened = person.devices.compactMap(\.lastOpenedAt).max()
    return .facts(
      "Person",
      [
        ("User ID", "<code>\(person.id)</code>"), ("Email", person.email.map(HTML.text)),
        ("Language", person.last.locale.map(HTML.text)),
        ("Time zone", person.last.timeZone.map(HTML.text)),
        ("First seen", person.devices.map(\.createdAt).min().map(HTML.time)),
        ("Last opened", opened.map(HTML.time)),
      ])
  }

  private var tags: HTML {
    .tags(Set(person.devices.flatMap(\.tags)))
  }

  private var devices: HTML {
    let rows = person.devices.map { device -> HTML in
      let system = [device.platform, device.osVersion].compactMap(\.self).joined(separator: " ")
      return """
        <tr><th scope="row"><a href="\(PersonPages.path(ofDevice: device.id, request))">\
        <code>\(device.id)</code></a><p class="phone">\(system)</p></th><td>\(device.pushTag)</td>\
        <td class="wide">\(system)</td><td class="wide">\(device.appVersion ?? "–")</td>\
        <td class="wide">\(device.lastOpenedAt.map(HTML.time) ?? "–")</td></tr>

        """
    }
    let count = person.devices.count
    let table: HTML = """
      <table class="list"><caption>\
      \(person.hasMore ? "The first \(count) devices" : count == 1 ? "1 device" : "\(count) devices")</caption>
      <thead><tr><th scope="col">Device</th><th scope="col">Push</th><th scope="col" class="wide">System</th>\
      <th scope="col" class="wide">App version</th><th scope="col" class="wide">Last opened</th></tr></thead>
      <tbody>\(rows)</tbody></table>
      """
    return "<h2>Devices</h2>\(HTML.table("Devices", table))"
  }

  /// The attributes of the device that was used last, and those that only others have.
  private var attributes: HTML {
    var values: [String: (attribute: Attribute, differs: Bool)] = [:]
    for device in [person.last] + person.devices {
      for (name, attribute) in device.attributes {
        guard let known = values[name] else {
          values[name] = (attribute, false)
          continue
        }
        if known.attribute != attribute { values[name]?.differs = true }
      }
    }
    let rows = values.sorted { $0.key < $1.key }.map { name, value -> HTML in
      """
      <dt>\(name)</dt><dd>\(value.attribute.value.displayText)\
      \(value.differs ? "<p class=\"under\">Another value on another device</p>" : nil as HTML?)</dd>
      """
    }
    return .attributes(rows)
  }
}

extension HTML {
  /// A card with attributes, each as a term and its value.
  static func attributes(_ rows: [HTML]) -> HTML {
    let list: HTML =
      rows.isEmpty ? "<p class=\"muted\">None</p>" : "<dl class=\"facts\">\(rows)</dl>"
    return "<section class=\"card\"><h2>Attributes</h2>\(list)</section>"
  }

  /// A card with tags in the order of the alphabet.
  static func tags(_ tags: some Collection<String>) -> HTML {
    let marks = tags.sorted().map { "<span class=\"tag\">\($0)</span>\n" as HTML }
    return """
      <section class="card"><h2>Tags</h2><p class="row tags">\(marks)\
      \("<span class=\"muted\">None</span>", if: marks.isEmpty)</p></section>
      """
  }
}
