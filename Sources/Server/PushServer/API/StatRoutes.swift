import PushModel
import PushPayload
import _HTTPServer

/// `/stats`: the counts of notifications, messages, groups and apps.
enum StatRoutes {
  private static let defaultSpan = Duration.seconds(30 * 86_400)
  private static let hour: Int64 = 3_600_000
  private static let day: Int64 = 86_400_000

  static let all: [Route] =
    analytics(
      "/stats/notifications/:notification_id/events", .notificationStats, handler: ofNotification)
    + analytics("/stats/messages/:message_id/events", .messageStats, handler: ofMessage)
    + analytics("/transactional/notifications/:group/stats", .groupStats, handler: ofGroup)
    + analytics("/stats/opens", .countOpens, handler: counts(of: .opens, every: hour))
    + analytics("/stats/installs", .countInstalls, handler: counts(of: .installs, every: hour))
    + analytics("/stats/sessions", .countSessions, handler: counts(of: .sessions, every: hour))
    + analytics(
      "/stats/active_users", .countActiveUsers, handler: counts(of: .activeUsers, every: day))
    + analytics("/stats/total_installs", .totalInstalls, handler: totalInstalls)
    + [
      Route(
        "GET", "/v6/stats/notifications/:notification_id/hours", access: .app([.analytics]),
        operation: .notificationHours, handler: hoursOfNotification),
      Route(
        "GET", "/v6/stats/notifications/:notification_id/template", access: .app([.analytics]),
        operation: .templateStats, handler: templateOfNotification),
    ]

  private static func analytics(
    _ path: String, _ operation: Operation, handler: @escaping Route.Handler
  ) -> [Route] {
    Route.allVersions(
      "GET", path, access: .app([.analytics]), operation: operation, handler: handler)
  }

  private static func ofNotification(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let send = try await NotificationRoutes.send(call, router)
    let conversions = try await router.store.conversions(of: send.id, app: send.app)
    return .json([
      "id": .string(send.id), "audience_id": .string(send.audience),
      "message_id": .string(send.messageID),
      "push_text": .optional(send.payload["alert"]?.string),
      "published_time": .string(call.date(send.startedAt ?? send.scheduledAt ?? send.createdAt)),
      "direct_opens": .integer(Int64(send.counts.opened)),
      "indirect_opens": .integer(Int64(send.counts.openedIndirectly)),
      "influenced_opens": .integer(Int64(send.counts.opened + send.counts.openedIndirectly)),
      "opens": .integer(Int64(send.counts.opened)),
      "pushes_succeeded": .integer(Int64(send.counts.sent)),
      "pushes_rejected": .integer(Int64(send.counts.rejected)),
      "event_conversions": .object(conversions.mapValues { .integer(Int64($0)) }),
    ])
  }

  /// Lists only the hours with a count, because a notification may be sent and opened for months.
  private static func hoursOfNotification(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let send = try await NotificationRoutes.send(call, router)
    let hours = try await router.store.hours(of: send.id, app: send.app)
    return .json(
      .array(
        hours.map { hour in
          [
            "date": .string(call.date(hour.time)), "sent": .integer(Int64(hour.sent)),
            "rejected": .integer(Int64(hour.rejected)),
            "uninstalled": .integer(Int64(hour.uninstalled)),
            "delivered": .integer(Int64(hour.delivered)),
            "displayed": .integer(Int64(hour.displayed)), "opened": .integer(Int64(hour.opened)),
            "media": .object(hour.media.mapValues { .integer(Int64($0)) }),
            "media_failures": .object(hour.mediaFailures.mapValues { .integer(Int64($0)) }),
          ]
        }))
  }

  private static func templateOfNotification(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let send = try await NotificationRoutes.send(call, router)
    return .json(try await router.store.templateCounts(of: send.id, app: send.app).json)
  }

  private static func ofMessage(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse
  {
    let (id, app) = (call.parameter("message_id"), try call.app())
    guard try await router.store.message(id, app: app) != nil else {
      throw RequestError.notFound("message with this id")
    }
    let seen = try await router.store.impressions(of: id, app: app)
    return .json([
      "id": .string(id),
      "full_screen_impressions": .integer(Int64(seen[.detail] ?? 0)),
      "message_stream_impressions": .integer(Int64(seen[.stream] ?? 0)),
      "in_app_notification_impressions": .integer(Int64(seen[.inApp] ?? 0)),
    ])
  }

  private static func ofGroup(_ call: KeyedRequest, _ router: Router) async throws -> HTTPResponse {
    let span = try call.span(default: defaultSpan, at: router.clock.now())
    let group = call.parameter("group")
    guard NewTransactional.isGroup(group) else {
      throw RequestError(
        .invalid, "the group in the path must be 3 to 64 letters, digits and hyphens")
    }
    let stats = try await router.store.groupStats(
      group, app: call.app(), from: span.lowerBound, to: span.upperBound)
    return .json([
      "group": .string(group), "direct_opens": .integer(Int64(stats.opened)),
      "indirect_opens": .integer(Int64(stats.openedIndirectly)),
      "notifications_sent": .integer(Int64(stats.sent)),
      "event_conversions": .object(stats.conversions.mapValues { .integer(Int64($0)) }),
      "purchase_conversions": .array(
        stats.purchases.sorted { ($1.value.value, $0.key) < ($0.value.value, $1.key) }.map {
          [
            "name": .string($0.key), "total_value": .integer(Int64($0.value.value)),
            "count": .integer(Int64($0.value.count)),
          ]
        }),
    ])
  }

  /// Makes the handler that answers a counter for each hour or day of the span in the query.
  private static func counts(of counter: Counter, every width: Int64) -> Route.Handler {
    { call, router in
      let span = try call.span(default: defaultSpan, at: router.clock.now())
      let values = try await CounterValue.series(
        of: counter, app: call.app(), in: span, every: width, router.store)
      return .json(
        .array(
          values.map { value in
            ["date": .string(call.date(value.time)), "count": .integer(Int64(value.count))]
          }))
    }
  }

  private static func totalInstalls(_ call: KeyedRequest, _ router: Router) async throws
    -> HTTPResponse
  {
    let span = try call.span(default: defaultSpan, at: router.clock.now())
    let end = Timestamp(milliseconds: span.upperBound.floored(to: day).milliseconds + day - 1)
    let counts = try await router.store.counts(
      of: .installs, app: call.app(), from: span.lowerBound.floored(to: day), to: end)
    return .json(["total_installs": .integer(Int64(counts.reduce(0) { $0 + $1.count }))])
  }
}

extension TemplateCounts {
  fileprivate var json: JSONValue {
    [
      "viewed": .integer(Int64(viewed)), "answered": .integer(Int64(answered)),
      "opened": .integer(Int64(opened)), "expired": .integer(Int64(expired)),
      "played": .integer(Int64(played)),
      "pages": .array(
        pages.sorted { $0.key < $1.key }.map { page, counts in
          [
            "page": .integer(Int64(page)), "seen": .integer(Int64(counts.seen)),
            "opened": .integer(Int64(counts.opened)),
            "mean_dwell_seconds": counts.meanDwell.map(JSONValue.number) ?? .null,
          ]
        }),
      "values": .array(
        valuesByCount.map { ["value": .string($0.value), "count": .integer(Int64($0.count))] }),
      "other_values": .integer(Int64(otherValues)),
    ]
  }
}

extension KeyedRequest {
  /// A time in the stats; `/v4` and `/v5` write UTC as the offset `+00:00`.
  fileprivate func date(_ time: Timestamp) -> String {
    version == "v6" ? time.iso8601 : time.iso8601.dropLast() + "+00:00"
  }
}
