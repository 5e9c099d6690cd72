import PushPayload
import PushStore
import _HTTPServer

/// Devices: who they are, what is known of each, and forgetting one.
///
/// Pages go on from a device's number, by which the store keeps them, so that the last page of a
/// million is read as the first one is.
enum DevicesPages {
  static let all: [Route] = [
    .page("GET", .devices, list),
    .page("POST", .devices, act),
    .page("GET", .devices, at: "/:device") { visit in
      try await page(try await device(visit.call.parameter("device"), visit), visit)
    },
  ]

  private static let pageSize = 50
  /// Tokens are random, so that no more begin alike; behind these somebody types more of it.
  private static let mostByToken = 20

  private static func list(_ visit: Visit) async throws -> HTTPResponse {
    let above = visit.call.query("above").flatMap { UInt32($0) }
    let search = Form(visit.request.query.map { ($0.name, $0.value) })["search"]
    // One more than is shown tells whether there are more.
    let found =
      if let search {
        try await devices(search, above: above, visit)
      } else {
        try await visit.api.store.devices(app: visit.app.id, above: above, limit: pageSize + 1)
      }
    let view = DeviceList(
      visit: visit, search: search, devices: Array(found.prefix(pageSize)), isFirst: above == nil,
      hasMore: found.count > pageSize)
    return WebPage(title: "Devices", section: .devices, main: view.html).response(for: visit)
  }

  /// The device with an id, and those of the user with it, whom the index of audiences finds; and
  /// those whose push token begins so.
  private static func devices(
    _ id: String, above: UInt32?, _ visit: Visit
  ) async throws -> [Device] {
    let (store, app) = (visit.api.store, visit.app.id)
    let user = Filter(field: .builtIn(.userID), criteria: [.equals(.string(id))])
    let audience = Audience(id: "", app: app, filters: [user], createdAt: visit.now)
    let members = try await visit.api.audiences.members(of: audience, at: visit.now)
    let numbers = members.lazy.filter { $0 > above ?? 0 }.prefix(pageSize + 1)
    let owned = try await store.devices(app: app, numbers: DeviceNumbers(Array(numbers)))
    guard above == nil else { return owned }
    var found: [Device] = []
    if DeviceID.isValid(id), let named = try await store.device(id, app: app) {
      found.append(named)
    }
    if let prefix = PushToken.prefix(id) {
      found += try await store.devices(app: app, tokenPrefix: prefix, limit: mostByToken)
    }
    let numbersFound = Set(found.map(\.number))
    return found + owned.filter { !numbersFound.contains($0.number) }
  }

  private static func device(_ id: String, _ visit: Visit) async throws -> Device {
    guard DeviceID.isValid(id),
      let device = try await visit.api.store.device(id, app: visit.app.id)
    else { throw APIError.notFound("device with this id") }
    return device
  }

  private static func page(
    _ device: Device, _ visit: Visit, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    var view = DeviceView(visit: visit, device: device, problem: problem)
    view.isTest = try await TestDevices.ids(app: visit.app.id, visit.api.store).contains(device.id)
    return WebPage(title: device.id, section: .devices, main: view.html)
      .response(status: status, for: visit)
  }

  private static func act(_ visit: Visit) async throws -> HTTPResponse {
    let device = try await device(visit.form["device"] ?? "", visit)
    switch visit.form["action"] {
    case "erase": return try await erase(device, visit)
    case "test" where device.erasedAt == nil, "no-test":
      try await TestDevices.set(device, isTest: visit.form["action"] == "test", visit)
      return .seeOther("\(visit.path(.devices))/\(device.id)")
    default: return try await page(device, visit)
    }
  }

  /// Forgets a device, once the word for it was typed: nothing brings it back.
  private static func erase(_ device: Device, _ visit: Visit) async throws -> HTTPResponse {
    guard visit.form["word"]?.lowercased() == DeviceView.word else {
      return try await page(
        device, visit, status: 422,
        problem: "Nothing was erased: type the word \(DeviceView.word) to confirm.")
    }
    try await TestDevices.set(device, isTest: false, visit)
    let call = visit.apiCall("POST", "/v6/devices/\(device.id)/erase")
    _ = try await visit.api.store(for: call, "device.erase", device.id)
      .erase(device: device.id, app: visit.app.id, at: visit.now)
    return .seeOther("\(visit.path(.devices))/\(device.id)")
  }
}
