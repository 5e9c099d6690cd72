import Markup
import PushModel
import PushPayload
import NotificationCards
import _HTTPServer

/// The pages of the composer: the form, its preview, tests and sends.
enum ComposePages {
  static let all: [Route] = [
    .page("GET", .compose, handler: showForm),
    .page("POST", .compose, handler: submit),
  ]

  /// Shows an empty form, with `?from=ID` a duplicate of a send, or with `?edit=ID` a scheduled send to be
  /// replaced.
  ///
  /// `&unopened` targets the devices that did not open the duplicated send.
  private static func showForm(_ request: PageRequest) async throws -> HTTPResponse {
    guard let id = request.call.query("edit") ?? request.call.query("from") else {
      if let form = try await storedTemplate(request) { return try await page(form, request) }
      var form = ComposeForm()
      form[.to] = request.call.query("to") ?? ""
      return try await page(form, request, isFresh: request.call.query("to") == nil)
    }
    guard let send = try await request.router.store.send(id, app: request.app.id) else {
      throw RequestError.notFound("notification with this id")
    }
    let message = try await request.router.store.message(send.messageID, app: request.app.id)
    var form = ComposeForm(
      send, message: message, everyone: Identifiers.everyone(in: request.app.id), at: request.now)
    if let audience = try await request.router.store.audience(send.audience, app: request.app.id),
      audience.name == nil, !audience.isEveryone, request.call.query("unopened") == nil
    {
      // It was made for the send, from conditions.
      form[.to] = ComposeForm.conditionsChoice
      form.set(AudienceConditions(audience))
    }
    if request.call.query("unopened") != nil { form[.to] = ComposeForm.unopened(send.id) }
    if request.call.query("edit") != nil {
      guard send.canBeEdited, message == nil else {
        return .seeOther("\(request.path(.sends))/\(send.id)")
      }
      form.set(ComposeForm.replacedField, send.id)
    }
    return try await page(form, request)
  }

  /// The form of `?template=NAME`, a new message with the template, or of `?edit_template=NAME`, an edit of
  /// the template.
  ///
  /// `&version=N` reads an old version. `?edit_template` without a name creates a template.
  private static func storedTemplate(_ request: PageRequest) async throws -> ComposeForm? {
    let (store, app) = (request.router.store, request.app.id)
    let edited = request.call.query("edit_template")
    guard let name = edited ?? request.call.query("template") else { return nil }
    guard !name.isEmpty else {
      var form = ComposeForm()
      form.edit("", version: 0)
      return form
    }
    let newest = try await store.template(name, app: app)
    var shown = newest
    if let version = request.call.query("version").flatMap({ Int($0) }) {
      shown = try await store.template(name, version: version, app: app)
    }
    guard let shown else { throw RequestError.notFound("template with this name and version") }
    var form = ComposeForm(shown)
    if edited != nil { form.edit(name, version: newest?.version ?? 0) }
    return form
  }

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    if let builder = NewAudience(request, at: request.path(.compose), in: .compose) {
      return try await builder.answer(request) { request in
        try await page(ComposeForm(request.form), request)
      }
    }
    var form = ComposeForm(request.form)
    let wantsJSON = request.http.header("Accept")?.hasPrefix("application/json") == true
    for file in request.form.files {
      guard let field = TemplateField.destination(ofUpload: file.name) else { continue }
      do {
        let url = try await request.actions.upload(file.bytes, by: request.actor)
        if wantsJSON { return .json(["url": .string(url)]) }
        form.set(field, url)
      } catch let error as RequestError {
        guard !wantsJSON else { throw error }
        return try await page(
          form, request, status: error.status, problem: .refusal(error.message, at: field))
      }
    }
    var focus: String?
    if let change = request.form["action"].flatMap(ComposeForm.PageChange.init(action:)) {
      focus = form.apply(change)
    }
    if let change = request.form["action"].flatMap(ComposeForm.LanguageChange.init(action:)) {
      focus = form.apply(change)
    }
    if let change = request.form["action"].flatMap(ConditionChange.init(action:)) {
      focus = form.apply(change)
    }
    if request.form["part"] == "languages" {
      return try await languages(form, request, focus: focus)
    }
    if request.form["part"] == "template" {
      return TemplateFieldsView(form: form, fields: FormFields(form: form.form, focus: focus))
        .response
    }
    switch request.form["action"] {
    case "card":
      return try await card(try await ComposePreview(form, for: sample(request), request), request)
    case "template": return try await TemplatePages.save(form, request)
    case "test": return try await ComposeActions.sendTest(form, request)
    case "review", "send":
      do {
        try request.require(
          .send, to: "send to an audience; make a campaign and submit it for approval")
        try await request.router.actions.checkSendsDirectly(app: request.app.id)
      } catch let error as RequestError {
        return try await page(form, request, status: error.status, problem: .init(error))
      }
      return request.form["action"] == "send"
        ? try await ComposeActions.send(form, request)
        : try await ComposeActions.review(form, request)
    default:
      guard wantsJSON else { return try await page(form, request, focus: focus) }
      let preview = try await ComposePreview(form, for: sample(request), request)
      return .json(preview.json(remarks: preview.remarks, steps: preview.steps(review: nil)))
    }
  }

  /// The picture of a preview, as a script asks for it.
  static func card(
    _ preview: ComposePreview, _ request: PageRequest
  ) async throws -> HTTPResponse {
    var preview = preview
    let isQuick = request.form["quick"] != nil
    try await preview.draw(
      request, waiting: isQuick ? MediaPreview.shortWait : MediaPreview.longWait)
    guard
      let picture = await preview.picture(
        PreviewPane.appearance(of: request.form), scale: isQuick ? 1 : 2, by: request.router.cards)
    else {
      return HTTPResponse(status: 204, headers: [("Cache-Control", "no-store")])
    }
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", "image/jpeg"), ("Cache-Control", "no-store"),
        ("X-Content-Type-Options", "nosniff"),
      ], body: picture)
  }

  /// The device that was chosen for the preview.
  static func sample(_ request: PageRequest) async throws -> Device? {
    guard let id = request.form[PreviewPane.sampleField] else { return nil }
    let device = try await request.router.store.device(id, app: request.app.id)
    return device?.erasedAt == nil ? device : nil
  }

  /// The part of the page that depends on the audience and on the languages.
  private static func languages(
    _ form: ComposeForm, _ request: PageRequest, focus: String?
  ) async throws -> HTTPResponse {
    let sample = try await sample(request)
    let preview = try await ComposePreview(form, for: sample, request)
    let choices = try await ComposeChoices(request, for: form, coverage: preview.coverage)
    return ComposeView(
      form: form, preview: preview, request: request, choices: choices, sample: sample,
      sendsDirectly: try await sendsDirectly(request), isFresh: false, focus: focus
    ).parts
  }

  /// Whether what is written can be sent from here, and not only by a campaign that somebody approves.
  private static func sendsDirectly(_ request: PageRequest) async throws -> Bool {
    guard request.may(.send) else { return false }
    return try await request.actions.sendsDirectly(app: request.app.id)
  }

  /// The page with the form and its preview.
  static func page(
    _ form: ComposeForm, _ request: PageRequest, isFresh: Bool = false, status: Int = 200,
    problem: ComposePreview.Remark? = nil, notice: HTML? = nil, focus: String? = nil
  ) async throws -> HTTPResponse {
    let sample = try await sample(request)
    var preview = try await ComposePreview(form, for: sample, request)
    try await preview.draw(request)
    if let problem { preview.add(problem) }
    // A test has its own audience.
    if ["test", "template"].contains(request.form["action"]) { preview.removeRefusals(of: .to) }
    let view = ComposeView(
      form: form, preview: preview,
      card: await preview.picture(
        PreviewPane.appearance(of: form.form), scale: 1, by: request.router.cards),
      inbox: preview.inbox, request: request,
      choices: try await ComposeChoices(request, for: form, coverage: preview.coverage),
      sample: sample, sendsDirectly: try await sendsDirectly(request),
      isFresh: isFresh && form.form.fields.allSatisfy { $0.value.isEmpty },
      notice: notice, isRefused: status >= 400, focus: focus)
    let response = WebPage(
      title: form.editedVersion == nil ? "Compose" : "Edit template", section: .compose,
      main: view.html, scripts: ["compose.js"]
    ).response(status: status, for: request)
    return request.http.method == "POST" ? response.keptForBack : response
  }
}

/// The options of the composer's menus: audiences, devices and attribute names.
struct ComposeChoices: Sendable {
  var audiences: [AudienceName]
  /// The last sends, whose receivers can be left out, and the send whose receivers are chosen.
  var sends: [Send]
  /// What the menus of conditions offer, and what the conditions select if they are chosen.
  var conditions: ConditionChoices
  var conditionsCount: ConditionsCount?
  private static let maximumSendCount = 25
  private static let maximumDeviceCount = 25
  private static let maximumTestDeviceCount = 10
  /// Some devices that can receive pushes, test devices first.
  var devices: [Device]
  /// The attributes of the app, each with values of some of these devices.
  var attributes: [(name: String, values: [String])]
  private static let maximumValueCount = 3

  /// Reads the options, which always include the chosen audience, even if it has no name.
  ///
  /// `coverage` is that of the chosen audience. The preview offers some of its devices for each language.
  init(
    _ request: PageRequest, for form: ComposeForm, coverage: LanguageCoverage? = nil
  ) async throws {
    let (store, app, chosen) = (request.router.store, request.app.id, form[.to])
    let named = try await store.audienceNames(app: app, limit: ConditionChoices.audienceLimit)
    audiences = named
    if !named.contains(where: { $0.id == chosen }),
      let other = try await store.audience(chosen, app: app)
    {
      audiences.insert(
        AudienceName(id: other.id, name: other.name, isTest: other.isTest), at: 0)
    }
    let last = try await store.uncountedSends(
      app: app, matching: .withoutTriggered, after: nil, limit: Self.maximumSendCount)
    sends = last.filter { $0.counts.sent > 0 }
    if let id = form.unopenedSend ?? form.leftOutReceivers, !sends.contains(where: { $0.id == id }),
      let other = try await store.send(id, app: app)
    {
      sends.append(other)
    }
    conditions = try await ConditionChoices(
      for: form.conditions, audiences: named, sends: sends, request)
    if form.hasConditions { conditionsCount = try await ConditionsCount(form.conditions, request) }
    var devices: [Device] = []
    for id in try await TestDevices.ids(app: app, store).prefix(Self.maximumTestDeviceCount) {
      if let device = try await store.device(id, app: app) { devices.append(device) }
    }
    let tests = Set(devices.map(\.id))
    var samples = coverage?.samples(Self.maximumDeviceCount) ?? DeviceNumbers()
    if samples.isEmpty {
      samples = try await request.router.audiences.firstReachable(
        Self.maximumDeviceCount, app: app)
    }
    let others = try await store.devices(app: app, numbers: samples)
    devices += others.filter { !tests.contains($0.id) }
    self.devices = Array(
      devices.filter { $0.token != nil && $0.uninstalledAt == nil }.prefix(Self.maximumDeviceCount))
    let names = try await request.router.audiences.attributes(app: app).compactMap(\.attributeName)
    attributes = Set(names).sorted().map { ($0, Self.values(of: $0, on: others)) }
  }

  /// Some different values of an attribute, shortened for a menu.
  private static func values(of name: String, on devices: [Device]) -> [String] {
    var values: [String] = []
    for device in devices where values.count < maximumValueCount {
      guard let value = device.attributes[name]?.value else { continue }
      let text = value.string ?? String(decoding: value.serialized(), as: UTF8.self)
      if !values.contains(text) { values.append(text) }
    }
    return values.map { $0.count > 24 ? $0.prefix(24) + "…" : $0 }
  }
}
