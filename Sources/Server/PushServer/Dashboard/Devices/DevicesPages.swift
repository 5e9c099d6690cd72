import PushModel
import PushPayload
import _HTTPServer

/// The pages of devices: the list with search, and one device, which can be erased.
///
/// The list is paged by device number, the store's key. So the last page of a million devices costs as much as the
/// first.
enum DevicesPages {
  static let all: [Route] = [
    .page("GET", .devices, handler: list),
    .page("POST", .devices, handler: submit),
    .page("GET", .devices, at: "/:device") { request in
      try await page(try await device(request.call.parameter("device"), request), request)
    },
  ]

  private static let pageSize = 50
  /// The largest number of results in a search by push token; more characters of a token narrow the search.
  private static let maximumTokenMatches = 20

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let above = request.call.query("above").flatMap { UInt32($0) }
    let search = Form(request.http.query.map { ($0.name, $0.value) })["search"]
    // One device beyond the page shows whether there is a next page.
    let found =
      if let search {
        try await devices(matching: search, above: above, request)
      } else {
        try await request.router.store.devices(
          app: request.app.id, above: above, limit: pageSize + 1)
      }
    let view = DeviceList(
      request: request, search: search, devices: Array(found.prefix(pageSize)),
      isFirst: above == nil,
      hasMore: found.count > pageSize)
    return WebPage(title: "Devices", section: .devices, main: view.html).response(for: request)
  }

  /// The devices that match a search by device ID, user ID or start of the push token.
  private static func devices(
    matching id: String, above: UInt32?, _ request: PageRequest
  ) async throws -> [Device] {
    let (store, app) = (request.router.store, request.app.id)
    let user = Filter(field: .builtIn(.userID), criteria: [.equals(.string(id))])
    let audience = Audience(id: "", app: app, filters: [user], createdAt: request.now)
    let members = try await request.router.audiences.members(of: audience, at: request.now)
    let numbers = members.lazy.filter { $0 > above ?? 0 }.prefix(pageSize + 1)
    let owned = try await store.devices(app: app, numbers: DeviceNumbers(Array(numbers)))
    guard above == nil else { return owned }
    var found: [Device] = []
    if DeviceID.isValid(id), let named = try await store.device(id, app: app) {
      found.append(named)
    }
    if let prefix = PushToken.prefix(id) {
      found += try await store.devices(app: app, tokenPrefix: prefix, limit: maximumTokenMatches)
    }
    let numbersFound = Set(found.map(\.number))
    return found + owned.filter { !numbersFound.contains($0.number) }
  }

  private static func device(_ id: String, _ request: PageRequest) async throws -> Device {
    guard DeviceID.isValid(id),
      let device = try await request.router.store.device(id, app: request.app.id)
    else { throw RequestError.notFound("device with this id") }
    return device
  }

  private static func page(
    _ device: Device, _ request: PageRequest, status: Int = 200, problem: String? = nil
  ) async throws -> HTTPResponse {
    var view = DeviceView(request: request, device: device, problem: problem)
    view.isTest = try await TestDevices.ids(app: request.app.id, request.router.store).contains(
      device.id)
    return WebPage(title: device.id, section: .devices, main: view.html)
      .response(status: status, for: request)
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    let device = try await device(request.form["device"] ?? "", request)
    switch request.form["action"] {
    case "erase":
      // Only who may erase is asked for the word.
      try request.actor.require(.erase, to: "erase a device")
      return try await erase(device, request)
    case "test" where device.erasedAt == nil, "no-test":
      try await request.actions.setTestDevice(
        device.id, isTest: request.form["action"] == "test", by: request.actor)
      return .seeOther("\(request.path(.devices))/\(device.id)")
    default: return try await page(device, request)
    }
  }

  /// Erases a device if the user has typed the confirmation word.
  private static func erase(_ device: Device, _ request: PageRequest) async throws -> HTTPResponse {
    guard request.form["word"]?.lowercased() == DeviceView.confirmationWord else {
      return try await page(
        device, request, status: 422,
        problem: "The device was not erased. Type \(DeviceView.confirmationWord) to confirm.")
    }
    try await request.actions.setTestDevice(device.id, isTest: false, by: request.actor)
    _ = try await request.actions.eraseDevice(device.id, by: request.actor)
    return .seeOther("\(request.path(.devices))/\(device.id)")
  }
}
