import Foundation

/// The rule for the time zones of devices.
enum DeviceTimeZone {
  /// The form of a time zone, for an error message.
  static let form =
    "a name of the time zone database such as Europe/Berlin, a time zone of Windows, or an offset such as +05:30"

  /// The most bytes of a time zone.
  static let lengthLimit = 64

  /// Returns a time zone in the form that is stored; `nil` if the text is not a time zone.
  ///
  /// A name of the database is accepted in any letter case, and a zone of Windows becomes the database's. An offset
  /// from UTC becomes `GMT+0530`, the identifier that `TimeZone` has for it. Abbreviations that are not in the
  /// database, such as IST, mean several zones and are not accepted.
  static func normalized(_ text: String) -> String? {
    guard (1...lengthLimit).contains(text.utf8.count) else { return nil }
    let key = text.lowercased()
    guard let name = names[key] ?? windowsZones[key] else { return offset(key) }
    return TimeZone(identifier: name) == nil ? nil : name
  }

  /// Reads a time zone of a request in the form of ``normalized(_:)``.
  static func name(_ field: BodyValue) throws(RequestError) -> String {
    guard let name = normalized(try field.string()) else {
      throw .refused(field.path, "must be \(form)")
    }
    return name
  }

  /// The time zone of a device by its stored name; UTC if the device has no time zone.
  ///
  /// `nil` if the name is unknown, because it may be from before names were checked. It may be night there at any time,
  /// so such a device gets nothing that depends on its local time.
  static func clock(ofDevice name: String?) -> TimeZone? {
    guard let name else { return .gmt }
    return TimeZone(identifier: name) ?? normalized(name).flatMap(TimeZone.init(identifier:))
  }

  /// The range of offsets from UTC that are in use, in minutes.
  private static let offsets = -12 * 60...14 * 60

  /// Reads `+05:30`, `-0800`, `+5` and `z`, also after `utc` or `gmt`.
  private static func offset(_ text: String) -> String? {
    if text == "z" { return "GMT" }
    guard let match = text.wholeMatch(of: /(?:utc|gmt)? ?([+-])(\d{1,2})(?::?(\d\d))?/),
      let hours = Int(match.2), let minutes = Int(match.3 ?? "0"), minutes < 60
    else { return nil }
    let sum = hours * 60 + minutes
    guard offsets.contains(match.1 == "-" ? -sum : sum) else { return nil }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return sum == 0 ? "GMT" : "GMT\(match.1)\(digits(hours))\(digits(minutes))"
  }

  /// The names of the database, and further ones that the system knows, by their lowercase spelling.
  private static let names: [String: String] = {
    let all = databaseTable.split(whereSeparator: \.isWhitespace).map(String.init)
    let own = TimeZone.knownTimeZoneIdentifiers
    return Dictionary((all + own).map { ($0.lowercased(), $0) }) { first, _ in first }
  }()

  /// The database's zone for each zone of Windows, by the lowercase name.
  private static let windowsZones: [String: String] = {
    var zones: [String: String] = [:]
    for row in windowsTable.split(separator: "\n") {
      let sides = row.split(separator: "=")
      zones[sides[0].lowercased()] = String(sides[1])
    }
    return zones
  }()
}
