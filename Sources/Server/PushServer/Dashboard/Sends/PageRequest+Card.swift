import APNs
import NotificationCards
import NotificationHost
import PhoneCards
import PushModel
import PushPayload
import _HTTPServer

extension PageRequest {
  /// The picture of a payload on a device without attributes; status 204 if the phone shows nothing.
  ///
  /// - Parameters:
  ///   - payload: The payload of a notification, as the API takes it.
  ///   - id: The id of the notification.
  ///   - time: The time of the delivery.
  ///   - isCacheable: Whether the payload cannot change.
  /// - Returns: A PNG; with `?small` only the collapsed card, with `?dark` in the dark appearance.
  /// - Throws: ``RequestError`` `.notFound` if the payload cannot be composed.
  func card(
    of payload: JSONValue, id: String, at time: Timestamp, isCacheable: Bool = true
  ) async throws -> HTTPResponse {
    guard
      let composer = try? Composer(
        payload, notification: id, options: Composer.Options(now: time)),
      let bytes = try? composer.sample(),
      let composed = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self))
    else { throw RequestError.notFound("picture of this notification") }
    let isSmall = call.query("small") != nil
    let style = CardStyle(
      scale: isSmall ? 1 : 2, appearance: call.query("dark") == nil ? .light : .dark)
    let message = PushMessage(payload: composed, pushType: composer.pushType.rawValue)
    guard
      let card = try await actions.mediaPreview.card(
        of: message, appName: app.name, icon: app.icon, delivered: time)
    else { return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")]) }
    let views: [NotificationCard.View] = isSmall ? [.collapsed] : [.collapsed, .expandedInColumn]
    let picture: [UInt8]
    do {
      picture = try await router.cards.png(card, views, style: style)
    } catch {
      throw RequestError(.unavailable, "the picture cannot be drawn: \(error.message)")
    }
    let isKept = isCacheable && !card.isLoading
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "image/png"),
        ("Cache-Control", isKept ? "private, max-age=3600" : "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ],
      body: picture)
  }
}
