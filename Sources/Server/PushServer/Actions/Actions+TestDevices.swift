import PushModel

extension Actions {
  /// Adds a device to the app's test devices, or removes it.
  ///
  /// - Throws: ``RequestError`` `.invalid` if the app already has ``TestDevices/limit`` test devices.
  func setTestDevice(_ id: String, isTest: Bool, by actor: Actor) async throws {
    try actor.require(.write, to: "choose test devices")
    let app = try actor.ownApp()
    let old = try await TestDevices.audience(app: app, store)
    var ids = old.map(TestDevices.ids) ?? []
    guard ids.contains(id) != isTest else { return }
    if isTest { ids.append(id) } else { ids.removeAll { $0 == id } }
    guard ids.count <= TestDevices.limit else {
      throw RequestError(
        .invalid, "the app has \(TestDevices.limit) test devices already; remove one first")
    }
    let audience = Identifiers.testDevices(in: app)
    guard !ids.isEmpty else {
      _ = try await store(for: actor, "audience.delete", audience).deleteAudience(
        audience, app: app)
      return
    }
    let action = old == nil ? "audience.create" : "audience.update"
    try await store(for: actor, action, audience).save(
      TestDevices.audience(of: ids, changing: old, app: app, at: clock.now()))
  }
}
