import PushPayload

/// The submitted form for a webhook.
struct WebhookForm: Sendable {
  var url: String
  var events: [String]

  init(_ form: Form) {
    url = form["url"] ?? ""
    events = form.all("event")
  }

  /// The body of the new webhook, whose values the action checks.
  var body: BodyValue {
    BodyValue(
      ["url": .string(url), "events": .array(events.map(JSONValue.string))], at: "$.webhook")
  }
}
