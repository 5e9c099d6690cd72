import PhoneCards
import PushModel

extension Actions {
  /// Stores a PNG as an upload, and makes it the icon of the actor's app.
  func setIcon(_ bytes: ArraySlice<UInt8>, by actor: Actor) async throws {
    try actor.require(.manage, to: "change the icon")
    guard let uploads else {
      throw RequestError(
        .notOffered, "uploads are disabled on this server, so it has no place for an icon")
    }
    try AppIcon.check(bytes)
    let name = try await uploads.keep(bytes, app: actor.ownApp(), at: clock.now())
    // The process that draws cards decodes it. If it is too busy, cards show the app's letter in place of a
    // damaged icon.
    if let path = try await uploads.file(name),
      (try? await cards.isDamaged(picture: path)) == true
    {
      throw RequestError(
        .unsupportedType, "the icon is damaged and cannot be drawn; export it once more")
    }
    try await storeIcon(name, by: actor)
  }

  /// Makes the actor's app one without an icon; the upload stays.
  func removeIcon(by actor: Actor) async throws {
    try actor.require(.manage, to: "remove the icon")
    try await storeIcon(nil, by: actor)
  }

  private func storeIcon(_ name: String?, by actor: Actor) async throws {
    let app = try actor.ownApp()
    guard try await store(for: actor, "app.update", app).setIcon(name, app: app) else {
      throw RequestError.notFound("app with this id")
    }
  }
}
