import PushModel
import PushPayload
import TestSupport
import Testing
import _Bitmaps

@testable import PushServer

@Suite("The audience index", .timeLimit(.minutes(10)))
struct AudienceIndexTests {
  @Test(
    "selects the same devices as a scan of every device",
    arguments: 1...3 as ClosedRange<UInt64>)
  func oracle(seed: UInt64) {
    var random = RandomAudience(seed: seed)
    var devices: [UInt32: Device] = [:]
    var index = AudienceIndex()
    // Device numbers of several pages, updated in several parts, and changed at random.
    for part in 0..<6 {
      let changed = (0..<60).map { number in
        random.device(UInt32(part % 3 * 65500 + number + 1))
      }
      index.update(changed.shuffled(using: &random.random))
      for device in changed { devices[device.number] = device }
      if part == 3 { index.optimize() }
      let gone = devices.keys.filter { $0 % 37 == 0 }
      index.remove(Bitmap(gone))
      for number in gone { devices[number] = nil }
    }
    for _ in 0..<40 {
      let filters = random.filters()
      let naive = NaiveAudience(filters: filters, now: RandomAudience.now)
      let expected = devices.values.filter(naive.admits).map(\.number).sorted()
      let found = index.devices(
        passing: filters, at: RandomAudience.now, among: index.installed)
      #expect(found.elements == expected, "\(filters)")
    }
    let reachable = devices.values.filter { device in
      device.token != nil && device.isPushEnabled && device.platform == "iOS"
        && device.uninstalledAt == nil
    }
    #expect(index.reachable.elements == reachable.map(\.number).sorted())
    let zones = index.byTimeZone(index.reachable)
    #expect(zones.map(\.devices).reduce(0) { $0 + $1.count } == reachable.count)
    for (zone, part) in zones {
      #expect(part.elements == reachable.filter { $0.timeZone == zone }.map(\.number).sorted())
    }
    let locales = index.byLocale(index.reachable)
    #expect(locales.map(\.devices).reduce(0) { $0 + $1.count } == reachable.count)
    for (locale, part) in locales {
      let own = reachable.filter { device in
        device.locale?.lowercased().replacing("-", with: "_") == locale
      }
      #expect(part.elements == own.map(\.number).sorted())
    }
  }

  @Test("an attribute that no device has any more takes no room")
  func emptyColumns() {
    var index = AudienceIndex()
    for round in 0..<100 {
      var device = Device(id: "d", createdAt: RandomAudience.now)
      device.number = 1
      device.appVersion = "1.\(round)"
      for kind in [Attribute.Kind.integer, .string] {
        device.attributes["\(kind)\(round)"] = Attribute(
          kind: kind, value: kind == .string ? "a" : 3)
      }
      index.update([device])
    }
    let (numbers, texts) = (index.numbers.keys, index.texts.keys)
    #expect(numbers.count { "\($0)".contains("integer") } == 1)
    #expect(texts.count { "\($0)".contains("string") } == 1)
    index.remove(Bitmap([1]))
    #expect(index.numbers.isEmpty && index.texts.isEmpty && index.versions.isEmpty)
  }

  @Test("as many locales are kept by name as the limit says, and devices of others are in no group")
  func localeLimit() {
    var index = AudienceIndex()
    let devices = (1...AudienceIndex.localeLimit + 1).map { number in
      var device = Device(id: "d\(number)", createdAt: RandomAudience.now)
      device.number = UInt32(number)
      device.locale = "x\(number)"
      return device
    }
    index.update(Array(devices.dropLast()))
    #expect(index.byLocale(index.installed).count == AudienceIndex.localeLimit)
    index.update(devices.suffix(1))
    let groups = index.byLocale(index.installed)
    #expect(groups.count == AudienceIndex.localeLimit + 1)
    #expect(groups.last?.locale == nil && groups.last?.devices.count == 1)
  }

  @Test("identifiers are found beside the table and in it, also shared and changed ones")
  func identifiers() {
    var random = SeededGenerator(seed: 4)
    var column = IdentifierColumn()
    var expected: [UInt32: String] = [:]
    for _ in 0..<160_000 {
      let device = UInt32.random(in: 0..<140_000, using: &random)
      // Every third device is removed again, and some identifiers are shared.
      let value = Int.random(in: -3000..<6000, using: &random)
      expected[device] = value < 0 ? nil : "user-\(value)"
      column.set(device, to: expected[device].map { TextHash($0) } ?? .none)
    }
    for value in stride(from: 0, to: 6100, by: 61) {
      let texts = ["user-\(value)", "user-\(value + 1)"]
      let found = expected.filter { texts.contains($0.value) }.keys.sorted()
      #expect(column.devices(with: Set(texts.map { TextHash($0) })).elements == found)
    }
  }

  @Test(
    "devices in the most circles of a filter are found in one pass", .timeLimit(.minutes(10)))
  func circles() {
    var berlin = Location()
    (berlin.latitude, berlin.longitude) = (52.52, 13.405)
    var column = CoordinateColumn()
    // One device in each of 40 pages: a pass for each circle would make 2.6 billion comparisons.
    let devices = (0..<40).map { UInt32($0 << 16 | 7) }
    for device in devices { column[device] = Coordinate(berlin) ?? .unknown }
    let elsewhere = (0..<999).map { number in
      Filter.Circle(latitude: -80 + Double(number) / 1000, longitude: 0, radius: 1)
    }
    #expect(column.devices(within: elsewhere).isEmpty)
    let here = Filter.Circle(latitude: 52.5, longitude: 13.4, radius: 5000)
    #expect(column.devices(within: elsewhere + [here]).elements == devices)
  }

  @Test("numbers keep their order as keys")
  func order() {
    let integers: [Int64] = [.min, -2, -1, 0, 1, 2, .max]
    #expect(integers.map(\.ordered) == integers.map(\.ordered).sorted())
    let floats = [
      -Double.greatestFiniteMagnitude, -1.5, -Double.leastNonzeroMagnitude, 0, 1e-300, 1, 1e300,
    ]
    #expect(floats.map(\.ordered) == floats.map(\.ordered).sorted())
    #expect((-0.0).ordered == 0.0.ordered)
  }

  @Test("bit slices store numbers of every width")
  func slices() {
    let keys: [UInt64] = [0, 1, 2, 3, 1 << 32, .max - 1, .max]
    var slices = BitSlices()
    slices.insert(keys.enumerated().map { (device: UInt32($0.offset), key: $0.element) })
    for low in keys {
      for high in keys where low <= high {
        let expected = keys.indices.filter { (low...high).contains(keys[$0]) }
        #expect(slices.devices(in: low...high).elements == expected.map { UInt32($0) })
      }
    }
    let all = slices.present
    for count in 0...keys.count {
      let some = Array(keys[..<count])
      #expect(slices.devices(with: some, among: all).elements == (0..<count).map { UInt32($0) })
      let even = slices.devices(with: some, among: Bitmap([0, 2, 4, 6, 8]))
      #expect(even.elements == stride(from: 0, to: count, by: 2).map { UInt32($0) })
    }
    #expect(slices.devices(with: [1, .max], among: all).elements == [1, 6])
    #expect(slices.devices(with: [4, 5], among: all).isEmpty)
    slices.remove(Bitmap([1, 6, 99]))
    #expect(slices.devices(in: 0...(.max)).elements == [0, 2, 3, 4, 5])
  }

  static let ordered: [[String]] = [
    ["1.2", "1.9", "1.10", "1.10.1", "2", "10.0"], ["beta", "1"],
    ["1.0-alpha", "1.0-beta", "1.0", "1.0 (7)", "1.0.1"],
    ["1", "99999999999999999998", "99999999999999999999.1"],
  ]

  @Test("versions are ordered by their numbers", arguments: ordered)
  func versions(texts: [String]) {
    for (index, text) in texts.enumerated() {
      for later in texts[(index + 1)...] { #expect(Version(text) <= Version(later)) }
    }
    #expect(Version("17") == Version("17.0.0"))
    #expect(Version("1.10") > Version("1.9"))
    #expect(Version("1.0-alpha") < Version("1.0"))
    #expect(Version("") < Version("0"))
  }

  static let relative: [(String, String?)] = [
    ("-7d", "-7d"), ("7 days ago", "-7d"), ("1 day ago", "-1d"), ("in 2 hours", "+2h"),
    ("+30m", "+30m"), ("2 Weeks ago", "-2w"), ("now", "+0d"), ("-100000d", "-100000d"),
    ("-100001d", nil), ("7d", nil), ("-7", nil), ("-d", nil), ("--7d", nil), ("-7 d", nil),
    ("7 months ago", nil), ("days 7 ago", nil), ("", nil), ("-", nil), ("2020-01-01", nil),
    ("in 2 days ago", nil),
  ]

  @Test("relative dates are parsed, and written in one form", arguments: relative)
  func relativeDates(text: String, form: String?) {
    #expect(RelativeDate(text)?.text == form)
    if let form { #expect(RelativeDate(form) == RelativeDate(text)) }
    if form == "-7d" {
      #expect(
        RelativeDate(text)?.time(from: RandomAudience.now).milliseconds == 1_699_395_200_000)
    }
  }
}
