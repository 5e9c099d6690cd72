import PushModel

extension ServerMetrics.State {
  /// Writes the metrics of HTTP requests and of credentials.
  func writeRequests(to text: inout PrometheusText) {
    text.family(
      "martlet_http_requests_total", .counter,
      help: "Answered HTTP requests by method, route and status.")
    let sorted = requests.sorted {
      ($0.key.route, $0.key.method, $0.key.status) < ($1.key.route, $1.key.method, $1.key.status)
    }
    for (request, count) in sorted {
      text.sample(
        "martlet_http_requests_total", count,
        labels: [
          "method": request.method, "route": request.route, "status": String(request.status),
        ])
    }
    text.family(
      "martlet_http_request_duration_seconds", .histogram,
      help: "The time from a request to its answer, by route.")
    for (route, histogram) in requestDurations.sorted(by: { $0.key < $1.key }) {
      text.histogram("martlet_http_request_duration_seconds", histogram, labels: ["route": route])
    }
    text.family(
      "martlet_refused_credentials_total", .counter,
      help: "Refused API keys, and refused keys of the sign-in form.")
    for kind in ServerMetrics.Refusal.allCases {
      text.sample(
        "martlet_refused_credentials_total", refusals[kind] ?? 0,
        labels: ["kind": kind.rawValue])
    }
  }

  /// Writes the metrics of batches, sends and webhooks.
  func writeDelivery(to text: inout PrometheusText) {
    text.family(
      "martlet_batch_stage_duration_seconds", .histogram,
      help: "The time of batches in each stage of delivery.")
    for stage in ServerMetrics.Stage.allCases {
      guard let histogram = stages[stage] else { continue }
      text.histogram(
        "martlet_batch_stage_duration_seconds", histogram, labels: ["stage": stage.rawValue])
    }
    text.family("martlet_webhook_calls_total", .counter, help: "Webhook calls by result.")
    for result in ServerMetrics.CallResult.allCases {
      text.sample(
        "martlet_webhook_calls_total", calls[result] ?? 0, labels: ["result": result.rawValue]
      )
    }
    text.family(
      "martlet_webhook_call_duration_seconds", .histogram, help: "The time of webhook calls.")
    text.histogram("martlet_webhook_call_duration_seconds", callDurations)
    text.family(
      "martlet_send_time_to_first_push_seconds", .histogram,
      help: "The time from a send's acceptance, or its scheduled time, to its first push.")
    text.histogram("martlet_send_time_to_first_push_seconds", firstPushes)
    text.family(
      "martlet_send_time_to_last_push_seconds", .histogram,
      help: "The time from a send's acceptance, or its scheduled time, to its last outcome.")
    text.histogram("martlet_send_time_to_last_push_seconds", lastPushes)
    text.family(
      "martlet_devices_dropped_total", .counter,
      help: "Devices of sends that got no push, or whose push had no answer, by reason.")
    for reason in ServerMetrics.dropReasons.union(["InvalidPush"]).sorted() {
      text.sample(
        "martlet_devices_dropped_total", dropped[reason] ?? 0, labels: ["reason": reason])
    }
    text.family(
      "martlet_activity_pushes_total", .counter,
      help: "Accepted sends to Live Activities by event and priority.")
    for event in ActivityPush.Event.allCases {
      for priority in [5, 10] {
        let label = ServerMetrics.ActivityLabel(event: event, priority: priority)
        text.sample(
          "martlet_activity_pushes_total", activityPushes[label] ?? 0,
          labels: ["event": event.rawValue, "priority": String(priority)])
      }
    }
  }

  /// Writes the metrics of registered devices.
  func writeDevices(to text: inout PrometheusText) {
    text.family(
      "martlet_devices_unmarked_total", .counter,
      help: "Devices that Apple reported as uninstalled, but too many at once to be marked so.")
    text.sample("martlet_devices_unmarked_total", unmarked)
    text.family(
      "martlet_user_claims_total", .counter,
      help: "Users' ids and addresses that device keys named, by whether a user token proves them.")
    for claim in ServerMetrics.UserClaim.allCases {
      text.sample(
        "martlet_user_claims_total", users[claim] ?? 0, labels: ["result": claim.rawValue])
    }
    text.family(
      "martlet_devices_refused_total", .counter,
      help: "New devices of device keys that were refused, by the limit that was reached.")
    for reason in ServerMetrics.DeviceRefusal.allCases {
      text.sample(
        "martlet_devices_refused_total", refusedDevices[reason] ?? 0,
        labels: ["limit": reason.rawValue])
    }
  }
}
