import PushModel
import PushPayload

/// Somebody who has the app: the devices with one user ID, or one device without a user ID.
struct AppPerson {
  /// The devices, in the order in which they registered; at least one.
  let devices: [Device]
  /// Whether the person has more devices than ``devices``.
  var hasMore = false

  /// The first device, which stands for a person without a user ID.
  let first: Device
  /// The device that was used last.
  let last: Device
  var userID: String? { first.userID }

  init?(_ devices: [Device]) {
    guard let first = devices.first else { return nil }
    (self.devices, self.first) = (devices, first)
    last = devices.reduce(first) { newest, device in
      let times = [newest, device].map { $0.lastOpenedAt ?? $0.createdAt }
      return times[1] > times[0] ? device : newest
    }
  }

  /// The text by which the person is known: the user ID, or the ID of the device.
  var id: String { userID ?? first.id }

  /// The email of the person, from the device that was used last.
  var email: String? {
    last.userEmail ?? devices.compactMap(\.userEmail).first
      ?? text(inAttributes: { $0.contains("mail") })
  }

  /// The name of the person from attributes such as `name`, or `first_name` and `last_name`.
  var name: String? {
    for names in [["name"], ["full_name"], ["fullname"], ["display_name"]] {
      if let name = text(inAttributes: { names.contains($0) }) { return name }
    }
    let first = text { ["first_name", "firstname", "given_name"].contains($0) }
    let last = text { ["last_name", "lastname", "family_name", "surname"].contains($0) }
    let parts = [first, last].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private func text(inAttributes isNamed: (String) -> Bool) -> String? {
    for device in [last] + devices {
      let values = device.attributes.filter { isNamed($0.key.lowercased()) }
        .sorted { $0.key < $1.key }.compactMap(\.value.value.string)
      if let value = values.first(where: { !$0.isEmpty }) { return value }
    }
    return nil
  }

  /// The path of the person's page.
  func path(_ request: PageRequest) -> String {
    guard let userID else { return PersonPages.path(ofDevice: first.id, request) }
    return "\(PersonPages.path(request))/user?id=\(URLEncoded.encode(userID))"
  }

  /// The people who have some devices, in the order of the devices.
  static func people(with devices: [Device]) -> [AppPerson] {
    var groups: [[Device]] = []
    var places: [String: Int] = [:]
    for device in devices {
      if let user = device.userID, let place = places[user] {
        groups[place].append(device)
      } else {
        if let user = device.userID { places[user] = groups.count }
        groups.append([device])
      }
    }
    return groups.compactMap { AppPerson($0) }
  }
}
