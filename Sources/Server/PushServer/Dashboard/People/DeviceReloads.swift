import Markup
import PushModel
import PushPayload

/// The widgets and controls of a device, which its page can reload as a test.
struct DeviceReloads {
  private let request: PageRequest
  private let device: Device
  private let tokens: [StoredReloadToken]
  /// What became of the pushes of a reload; `nil` if nothing was reloaded.
  private let outcomes: [ReloadOutcome]?

  /// The value of the button that reloads widgets or controls.
  static func action(_ type: ReloadType) -> String { "reload-\(type.rawValue)" }

  /// Reads the tokens of a device, after reloading the widgets or controls that a button names.
  ///
  /// - Throws: ``RequestError`` if the person may not send, or the app's key cannot be used.
  init(_ request: PageRequest, _ device: Device, reloading type: ReloadType?) async throws {
    self.request = request
    self.device = device
    if let type {
      let reload: JSONValue = ["type": .string(type.rawValue), "devices": [.string(device.id)]]
      outcomes = try await request.actions.sendReload(
        try BodyValue(["reload": reload]).required("reload"), by: request.actor)
    } else {
      outcomes = nil
    }
    tokens = try await request.router.store.reloadTokens(
      of: DeviceNumbers([device.number]), app: request.app.id)
  }

  var html: HTML? {
    guard !tokens.isEmpty || outcomes != nil else { return nil }
    let rows = tokens.map { token -> HTML in
      """
      <tr><td>\(token.type == .widgets ? "Widgets" : "Control")</td><td>\(token.token.kind ?? "–")</td>\
      <td><code>…\(token.token.token.suffix(8))</code></td><td>\(.time(token.registeredAt))</td></tr>
      """
    }
    let table: HTML = """
      <table><caption class="hidden">Widgets and controls</caption><thead><tr><th scope="col">What</th>\
      <th scope="col">Kind</th><th scope="col">Push token</th><th scope="col">Registered</th></tr></thead>\
      <tbody>\(rows)</tbody></table>
      """
    return """
      <h2 id="reloads">Widgets and controls</h2>
      \(outcomes.map(answer))
      \(tokens.isEmpty ? nil : HTML.table("Widgets and controls", table))
      \(request.may(.send) ? form : nil)
      """
  }

  private var form: HTML {
    let types = ReloadType.allCases.filter { type in tokens.contains { $0.type == type } }
    let buttons = types.map { type -> HTML in
      "<button name=\"action\" value=\"\(Self.action(type))\">Reload \(type.rawValue)</button>\n"
    }
    guard !buttons.isEmpty else { return "" }
    return """
      <form method="post" action="\(PersonPages.path(request))/devices#reloads">\(request.session.tokenField)
      <input type="hidden" name="device" value="\(device.id)">
      <div class="row">\(buttons)</div>
      <p class="help">Sends a push to each of these tokens. It counts in the \(ReloadBudget.limit) reloads of a \
      token in a day.</p></form>
      """
  }

  private func answer(_ outcomes: [ReloadOutcome]) -> HTML {
    guard !outcomes.isEmpty else {
      return """
        <p class="note" role="status">Nothing was reloaded: the device has no such token.</p>
        """
    }
    let lines = outcomes.map { outcome -> HTML in
      let token: HTML = "<code>…\(outcome.target.token.suffix(8))</code>"
      return "<li>\(token): \(Self.words(outcome))</li>"
    }
    return """
      <div class="note" role="status"><p>Sent. What became of it:</p><ul>\(lines)</ul></div>
      """
  }

  private static func words(_ outcome: ReloadOutcome) -> String {
    let result =
      switch outcome.result {
      case .sent:
        "APNs has accepted the push. Whether WidgetKit has reloaded is not reported."
      case .held: "No push was sent."
      case .gone: "APNs does not know the token any more, so it was removed."
      case .failed: "The push failed."
      }
    return ([result] + [outcome.reason.map(FailureAdvice.text)].compactMap(\.self))
      .joined(separator: " ")
  }
}
