import Markup
import PushModel

/// The list of the people who have the app, or the results of a search.
struct PersonList {
  /// The number of a person's devices that are counted; more are "10 or more".
  static let deviceLimit = 10

  var request: PageRequest
  /// The search; `nil` for the list of all people, the earliest first.
  var search: PersonSearch?
  var people: [AppPerson]
  /// The newest notifications of the one person that a search has found.
  var history: HTML?
  var isFirst: Bool
  /// The number of the last device of this page, if there is a next page.
  var next: UInt32?

  private var path: String { PersonPages.path(request) }

  var html: HTML {
    """
    <div class="head"><h1>People</h1>\(importLink)</div>
    <form method="get" action="\(path)" class="row" role="search">
    <label for="search" class="hidden">Find a person</label>
    <input id="search" name="search" type="search" placeholder="User ID, email, name, device ID or push token" \
    value="\(search?.text ?? "")" autocomplete="off" spellcheck="false" autocapitalize="none" \
    aria-describedby="search-help">
    <button>Find</button></form>
    <p class="help" id="search-help">Whole IDs, emails and names, the beginning of a user ID, or the first 8 \
    characters of a push token.</p>
    \(search.map(result))
    \(people.isEmpty ? (search == nil ? empty : nil) : table)
    \(history)
    """
  }

  private var importLink: HTML? {
    guard request.may(.manage) else { return nil }
    return "<a class=\"button\" href=\"\(ImportPages.path(request))\">Import</a>"
  }

  // MARK: A search

  private func result(of search: PersonSearch) -> HTML {
    let found = search.attempts.filter { $0.found > 0 }.map {
      "\($0.name) (\($0.found) \($0.found == 1 ? "device" : "devices"))"
    }
    let count = people.count == 1 ? "1 person" : "\(people.count) people"
    let more = search.isCut ? " There may be more. Enter a longer text." : ""
    let head: HTML =
      people.isEmpty
      ? search.nobody
      : "\(count) found by \(found.joined(separator: "; ")).\(more)"
    return """
      <div class="note tried" role="status"><p>\(head) <a href="\(path)">Show all people</a></p>
      \(search.tried)</div>
      """
  }

  // MARK: The list

  private var empty: HTML {
    // The devices of a page may all be of people on an earlier one.
    guard isFirst, next == nil else { return "<div class=\"row\">\(pages)</div>" }
    let link: HTML? =
      request.may(.manage)
      ? "<p><a class=\"button primary\" href=\"\(ImportPages.path(request))\">Import a file</a></p>"
      : nil
    return """
      <div class="card empty"><h2>Nobody has the app yet</h2>
      <p>A person appears once the app has registered a device with the app's device key, or when you import \
      the devices of another service.</p>\(link)
      <p class="help"><code>PUT /v6/devices/DEVICE-ID</code></p></div>
      """
  }

  private var table: HTML {
    let table: HTML = """
      <table class="list">
      <caption\(" class=\"hidden\"", if: search != nil)>\(caption)</caption>
      <thead><tr><th scope="col">Person</th><th scope="col">Push</th><th scope="col" class="wide number">Devices</th>\
      <th scope="col" class="wide">System</th><th scope="col" class="wide">Tags</th>\
      <th scope="col" class="wide">Last opened</th></tr></thead>
      <tbody>\(people.map(row))</tbody>
      </table>
      """
    return "\(HTML.table("People", table))<div class=\"row\">\(pages)</div>"
  }

  private var caption: String {
    "\(people.count) \(people.count == 1 ? "person" : "people"), the earliest first"
  }

  private var pages: HTML {
    .pages(first: isFirst ? nil : path, next: next.map { "\(path)?above=\($0)" })
  }

  private func row(_ person: AppPerson) -> HTML {
    let device = person.last
    let tags = device.tags.prefix(3).joined(separator: ", ") + (device.tags.count > 3 ? ", …" : "")
    let system = [device.platform, device.osVersion].compactMap(\.self).joined(separator: " ")
    let words = [person.name, person.email].compactMap(\.self)
    let shown: HTML =
      person.userID.map { "\($0)" } ?? "<code>\(person.first.id)</code>"
    let count = person.devices.count
    let devices = count >= Self.deviceLimit ? "\(Self.deviceLimit) or more" : "\(count)"
    return """
      <tr><th scope="row"><a href="\(person.path(request))">\(shown)</a>\
      \(words.isEmpty ? nil : "<p class=\"under\">\(words.joined(separator: " · "))</p>" as HTML)\
      <p class="phone">\(system)\(device.lastOpenedAt.map { " · opened \($0.utcText.prefix(10))" } ?? "")</p></th>\
      <td>\(device.pushTag)</td><td class="wide number">\(devices)</td><td class="wide">\(system)</td>\
      <td class="wide">\(tags.isEmpty ? "–" : tags)</td>\
      <td class="wide">\(device.lastOpenedAt.map(HTML.time) ?? "–")</td></tr>

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
