import PushModel
import PushPayload
import _HTTPServer

/// The pages of the people who have the app: the list with search, one person, and one device, which can be erased.
///
/// The list is paged by device number, the store's key. So the last page of a million devices costs as much as the
/// first.
enum PersonPages {
  /// The folder of the addresses of earlier versions, which people have kept.
  private static let earlier = "devices"

  static let all: [Route] = [
    .page("GET", .devices, handler: list),
    .page("GET", .devices, at: "/user") { request in
      try await show(try await person(request.call.query("id") ?? "", request), request)
    },
    .page("GET", .devices, at: "/devices/:device") { request in
      try await show(try await device(request.call.parameter("device"), request), request)
    },
    .page("POST", .devices, at: "/devices", handler: submit),
    .page("GET", .devices, under: earlier) { request in
      .seeOther(path(request) + searchQuery(request))
    },
    .page("GET", .devices, under: earlier, at: "/:device") { request in
      .seeOther(path(ofDevice: request.call.parameter("device"), request))
    },
    .page("POST", .devices, under: earlier, handler: submit),
  ]

  static func path(_ request: PageRequest) -> String { request.path(.devices) }

  static func path(ofDevice id: String, _ request: PageRequest) -> String {
    "\(path(request))/devices/\(id)"
  }

  private static func searchQuery(_ request: PageRequest) -> String {
    guard let search = request.call.query("search") else { return "" }
    return "?search=" + URLEncoded.encode(search)
  }

  private static let pageSize = 20
  /// The most devices of a person that its page lists.
  private static let deviceLimit = 50

  // MARK: The list

  private static func list(_ request: PageRequest) async throws -> HTTPResponse {
    let query = request.http.query.map { ($0.name, $0.value) }
    if let text = Form(query)["search"] {
      let search = try await PersonSearch(
        String(text.prefix(DevicePatchReader.textLimit)), in: request)
      let people = AppPerson.people(with: search.devices)
      var view = PersonList(request: request, search: search, people: people, isFirst: true)
      // Who looks for one person most often asks what became of the last notification.
      if people.count == 1, let found = people.first {
        var person = found
        if let user = found.userID { person = try await self.person(user, request) }
        view.history = try await history(of: person, request).beside(person)
      }
      return page(view, request)
    }
    let above = request.call.query("above").flatMap { UInt32($0) }
    let (store, app) = (request.router.store, request.app.id)
    // One device beyond the page shows whether there is a next page.
    let found = try await store.devices(app: app, above: above, limit: pageSize + 1)
    let devices = Array(found.prefix(pageSize))
    let users = try await store.devices(
      ofUsers: devices.compactMap(\.userID), app: app, limit: PersonList.deviceLimit)
    // A person with a user ID is listed where the first of the devices is.
    let people = devices.compactMap { device -> AppPerson? in
      guard let user = device.userID, let all = users[user] else { return AppPerson([device]) }
      return all.first?.number == device.number ? AppPerson(all) : nil
    }
    var view = PersonList(request: request, people: people, isFirst: above == nil)
    view.next = found.count > pageSize ? devices.last?.number : nil
    return page(view, request)
  }

  private static func page(_ view: PersonList, _ request: PageRequest) -> HTTPResponse {
    WebPage(title: "People", section: .devices, main: view.html).response(for: request)
  }

  // MARK: A person, or a device

  private static func person(
    _ user: String, _ request: PageRequest
  ) async throws -> AppPerson {
    let devices = try await request.router.store.devices(
      ofUser: user, app: request.app.id, limit: deviceLimit + 1)
    guard var person = AppPerson(Array(devices.prefix(deviceLimit))) else {
      throw RequestError.notFound("person with this user ID")
    }
    person.hasMore = devices.count > deviceLimit
    return person
  }

  private static func device(_ id: String, _ request: PageRequest) async throws -> Device {
    guard DeviceID.isValid(id),
      let device = try await request.router.store.device(id, app: request.app.id)
    else { throw RequestError.notFound("device with this id") }
    return device
  }

  private static func show(_ person: AppPerson, _ request: PageRequest) async throws -> HTTPResponse
  {
    let view = PersonView(
      request: request, person: person, history: try await history(of: person, request))
    return WebPage(title: person.name ?? person.id, section: .devices, main: view.html)
      .response(for: request)
  }

  private static func history(
    of person: AppPerson, _ request: PageRequest
  ) async throws -> PersonHistory {
    try await PersonHistory(
      of: person.devices, as: person.userID.map { .user($0) } ?? .device(person.id), request)
  }

  private static func show(
    _ device: Device, _ request: PageRequest, reloading type: ReloadType? = nil, status: Int = 200,
    problem: String? = nil
  ) async throws -> HTTPResponse {
    var view = DeviceView(request: request, device: device, problem: problem)
    view.isTest = try await TestDevices.ids(app: request.app.id, request.router.store).contains(
      device.id)
    if device.erasedAt == nil {
      view.reloads = try await DeviceReloads(request, device, reloading: type)
      view.history = try await PersonHistory(of: [device], as: .device(device.id), request)
    }
    return WebPage(title: device.id, section: .devices, main: view.html)
      .response(status: status, for: request)
  }

  // MARK: Changes of a device

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
      return .seeOther(path(ofDevice: device.id, request))
    case let action:
      let type = ReloadType.allCases.first { DeviceReloads.action($0) == action }
      return try await show(device, request, reloading: type)
    }
  }

  /// Erases a device if the user has typed the confirmation word.
  private static func erase(_ device: Device, _ request: PageRequest) async throws -> HTTPResponse {
    guard request.form["word"]?.lowercased() == DeviceView.confirmationWord else {
      return try await show(
        device, request, status: 422,
        problem: "The device was not erased. Type \(DeviceView.confirmationWord) to confirm.")
    }
    try await request.actions.setTestDevice(device.id, isTest: false, by: request.actor)
    _ = try await request.actions.eraseDevice(device.id, by: request.actor)
    return .seeOther(path(ofDevice: device.id, request))
  }
}
