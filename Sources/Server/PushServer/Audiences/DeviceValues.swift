import PushModel
import PushPayload

/// The values of several devices by field, gathered so that each column is changed only once.
struct DeviceValues {
  typealias TermEntry<Term> = (device: UInt32, position: Int, term: Term)

  private let key: HashKey
  private(set) var installed: [UInt32] = []
  private(set) var reachable: [UInt32] = []
  private(set) var numbers: [Filter.Field: [ColumnEntry]] = [:]
  private(set) var terms: [Filter.Field: [TermEntry<TextHash>]] = [:]
  private(set) var versions: [Filter.Field: [TermEntry<Version>]] = [:]
  /// The texts of each field by their hashes, without those that are too long to choose from.
  private(set) var texts: [Filter.Field: [TextHash: String]] = [:]

  init(key: HashKey) { self.key = key }

  /// Adds the values of a device; devices are added in ascending order of their numbers.
  mutating func add(_ device: Device) {
    let number = device.number
    if device.uninstalledAt == nil {
      installed.append(number)
      if device.token != nil, device.platform == "iOS", device.isPushEnabled {
        reachable.append(number)
      }
    }
    for (position, tag) in device.tags.enumerated() {
      add(tag, to: .tags, at: position, of: number)
    }
    add(device.platform, to: .platform, of: number)
    add(device.locale, to: .locale, of: number)
    add(device.timeZone, to: .timeZone, of: number)
    add(device.location.country, to: .country, of: number)
    add(device.location.city, to: .city, of: number)
    add(device.isDevelopment ? 1 : 0, to: .development, of: number)
    add(device.isPushEnabled ? 1 : 0, to: .pushEnabled, of: number)
    add(device.isPushQuiet ? 1 : 0, to: .pushQuiet, of: number)
    add(device.badge?.ordered, to: .badge, of: number)
    add(device.createdAt.milliseconds.ordered, to: .createdAt, of: number)
    add(device.updatedAt.milliseconds.ordered, to: .registeredAt, of: number)
    add(device.lastOpenedAt?.milliseconds.ordered, to: .lastOpened, of: number)
    add(version: device.osVersion, to: .osVersion, of: number)
    add(version: device.appVersion, to: .appVersion, of: number)
    add(version: device.sdkVersion, to: .sdkVersion, of: number)
    for (name, attribute) in device.attributes { add(attribute, named: name, of: number) }
    // Events received over `/v4` have a prefix, and count together with others of the same name.
    let counts = Dictionary(
      device.events.map { (Filter.Field.event(recordedAs: $0), Int64($1.count)) },
      uniquingKeysWith: +)
    for (field, count) in counts {
      numbers[field, default: []].append(
        ColumnEntry(device: number, position: 0, key: count.ordered))
    }
  }

  private mutating func add(_ key: UInt64?, to field: Filter.BuiltIn, of device: UInt32) {
    guard let key else { return }
    numbers[.builtIn(field), default: []].append(ColumnEntry(device: device, position: 0, key: key))
  }

  private mutating func add(
    _ text: String?, to field: Filter.BuiltIn, at position: Int = 0, of device: UInt32
  ) {
    guard let text else { return }
    add(text, to: .builtIn(field), at: position, of: device)
  }

  private mutating func add(
    _ text: String, to field: Filter.Field, at position: Int, of device: UInt32
  ) {
    let hash = TextHash(field.folded(text), key)
    terms[field, default: []].append((device, position, hash))
    if KnownTexts.mayHave(text) { texts[field, default: [:]][hash] = text }
  }

  private mutating func add(version: String?, to field: Filter.BuiltIn, of device: UInt32) {
    guard let version else { return }
    versions[.builtIn(field), default: []].append((device, 0, Version(version)))
  }

  private mutating func add(_ attribute: Attribute, named name: String, of device: UInt32) {
    let field = Filter.Field.attribute(attribute.kind, name: name)
    var position = 0
    for value in attribute.value.array ?? [attribute.value] {
      if attribute.kind == .string {
        guard let text = value.string else { continue }
        add(text, to: field, at: position, of: device)
      } else {
        guard let key = field.kind.key(of: value, at: nil) else { continue }
        numbers[field, default: []].append(
          ColumnEntry(device: device, position: position, key: key))
      }
      position += 1
    }
  }
}

extension Filter.Field {
  /// The field under which the index has the values: `os_name` is another name of `platform`.
  var indexed: Filter.Field { self == .builtIn(.osName) ? .builtIn(.platform) : self }

  /// Returns a text in the form that the field compares: locales, countries and cities ignore case.
  func folded(_ text: String) -> String {
    switch self {
    case .builtIn(.locale):
      String(
        decoding: text.lowercased().utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
        as: UTF8.self)
    case .builtIn(.country), .builtIn(.city): text.lowercased()
    default: text
    }
  }
}

extension Filter.Kind {
  /// Returns an unsigned number in the order of this kind's values; `nil` if the value is of
  /// another kind.
  ///
  /// A relative date is relative to `now`; without `now` it is not accepted as a date.
  func key(of value: JSONValue, at now: Timestamp?) -> UInt64? {
    switch self {
    case .integer: return value.integer?.ordered
    case .float: return value.number?.ordered
    case .boolean: return value.bool.map { $0 ? 1 : 0 }
    case .date:
      guard let text = value.string else { return nil }
      if let now, let date = RelativeDate(text) { return date.time(from: now).milliseconds.ordered }
      return Timestamp(iso8601: text)?.milliseconds.ordered
    case .string, .version, .place: return nil
    }
  }
}
