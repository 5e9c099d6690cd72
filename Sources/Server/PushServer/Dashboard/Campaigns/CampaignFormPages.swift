import NotificationCards
import PushModel
import PushPayload
import _HTTPServer

/// The pages that create a campaign and edit a draft.
enum CampaignFormPages {
  static let all: [Route] = [
    .page("GET", .sends, at: CampaignPages.path + "/new", needs: .write) { request in
      let kind = request.call.query("sent").flatMap(Campaign.Kind.init(rawValue:)) ?? .once
      return try await page(CampaignForm(of: kind), of: nil, request)
    },
    .page("POST", .sends, at: CampaignPages.path + "/new") { request in
      try await submit(nil, request)
    },
    .page("GET", .sends, at: CampaignPages.path + "/:campaign/edit", needs: .write) { request in
      let campaign = try await CampaignPages.campaign(request)
      guard campaign.canBeEdited else {
        return .seeOther(CampaignPages.path(of: campaign, request))
      }
      return try await page(
        try CampaignForm(campaign, at: request.now), of: campaign, request)
    },
    .page("POST", .sends, at: CampaignPages.path + "/:campaign/edit") { request in
      let campaign = try await CampaignPages.campaign(request)
      return try await submit(campaign, request)
    },
  ]

  private static func submit(
    _ campaign: Campaign?, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let path = CampaignFormView.path(of: campaign, request)
    if let builder = NewAudience(request, at: path, in: .sends) {
      return try await builder.answer(request) { request in
        try await page(try CampaignForm(request.form), of: campaign, request)
      }
    }
    var form = try CampaignForm(request.form)
    let wantsJSON = request.http.header("Accept")?.hasPrefix("application/json") == true
    for file in request.form.files {
      guard let place = CampaignForm.part(ofField: file.name),
        let part = TemplateField.destination(ofUpload: place.part)
      else { continue }
      let field = CampaignForm.name(place.index, part)
      do {
        let url = try await request.actions.upload(file.bytes, by: request.actor)
        if wantsJSON { return .json(["url": .string(url)]) }
        form.set(field, url)
      } catch let error as RequestError {
        guard !wantsJSON else { throw error }
        return try await page(
          form, of: campaign, request, status: error.status,
          problem: .refusal(error.message, at: field))
      }
    }
    let action = request.form["action"] ?? ""
    switch action {
    case "save": return try await save(form, replacing: campaign, request)
    case "card": return try await card(form, request)
    case "preview" where wantsJSON: return try await json(form, request)
    default: break
    }
    if let change = CampaignForm.VariantChange(action: action) {
      let focus = form.apply(change)
      return try await page(form, of: campaign, request, focus: focus)
    }
    if let index = CampaignForm.variant(filledBy: action) {
      let name = form.form[CampaignForm.name(index, CampaignForm.choicePart)] ?? ""
      if let template = try await request.router.store.template(name, app: request.app.id) {
        form.fill(variant: index, from: template)
      }
      return try await page(
        form, of: campaign, request, focus: CampaignForm.name(index, "title"))
    }
    if let change = ConditionChange(action: action) {
      var compose = form.compose
      let focus = compose.apply(change)
      form.set(compose.conditions)
      return try await page(form, of: campaign, request, focus: focus)
    }
    let focus = form.changeRows(action) ?? form.changeMessage(action)
    return try await page(form, of: campaign, request, focus: focus)
  }

  // MARK: The preview that follows what is typed

  /// The number of the variant that the preview shows.
  private static func shown(of form: CampaignForm, _ request: PageRequest) -> Int {
    let number = request.form[PreviewPane.shownField].flatMap { Int($0) } ?? 0
    return min(max(number, 0), form.variants.count - 1)
  }

  private static func card(
    _ form: CampaignForm, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let preview = try await preview(
      of: form.variants[shown(of: form, request)], locales: try await locales(form, request),
      request)
    return try await ComposePages.card(preview, request)
  }

  private static func json(
    _ form: CampaignForm, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let locales = try await locales(form, request)
    let previews = try await previews(form, of: locales, request)
    let problems = try await form.problems(previews: previews, request)
    let index = shown(of: form, request)
    let variant = form.variants[index]
    // What was wrong with another variant may be mended meanwhile.
    let others = zip(previews, form.variants).enumerated().filter { $0.offset != index }
      .flatMap { CampaignForm.remarks(of: $0.element.0, on: $0.element.1) }.filter {
        $0.place != nil
      }
    return .json(
      previews[index].json(
        remarks: CampaignForm.remarks(of: previews[index], on: variant) + others,
        steps: form.stepList(problems, in: locales),
        prefix: CampaignForm.name(index, "")))
  }

  private static func save(
    _ form: CampaignForm, replacing campaign: Campaign?, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let form = try await form.withoutChangedTemplates(request)
    let problems = try await form.problems(
      previews: try await previews(form, of: try await locales(form, request), request), request)
    guard problems.isEmpty else {
      return try await page(form, of: campaign, request, status: 422)
    }
    func refused(_ status: Int, _ message: String) async throws -> HTTPResponse {
      let remark = ComposePreview.Remark(
        field: nil, severity: ComposePreview.refusal, message: message)
      return try await page(form, of: campaign, request, status: status, problem: remark)
    }
    do {
      let field = BodyValue(try form.document(), at: "$.campaign")
      guard let campaign else {
        let created = try await request.actions.createCampaign(
          field, repeating: try ComposeActions.idempotencyKey(for: field.value, request),
          by: request.actor)
        return .seeOther(CampaignPages.path(of: created, request))
      }
      if campaign.state == .draft, request.form["version"] != String(campaign.version) {
        return try await refused(
          409,
          "Somebody else has changed this campaign meanwhile. Save again to overwrite that, or open it anew."
        )
      }
      let updated = try await request.actions.updateCampaign(
        campaign.id, to: field, version: campaign.version, by: request.actor)
      return .seeOther(CampaignPages.path(of: updated, request))
    } catch let error as RequestError {
      return try await page(
        form, of: campaign, request, status: error.status, problem: form.remark(on: error))
    } catch let error as StoreError where error.code == .conflict {
      return try await refused(409, error.message)
    }
  }

  /// The previews of the variants.
  private static func previews(
    _ form: CampaignForm, of locales: AudienceLocales?, _ request: PageRequest
  ) async throws -> [ComposePreview] {
    var previews: [ComposePreview] = []
    for variant in form.variants {
      previews.append(try await preview(of: variant, locales: locales, request))
    }
    return previews
  }

  private static func preview(
    of variant: CampaignForm.VariantForm, locales: AudienceLocales?, _ request: PageRequest
  ) async throws -> ComposePreview {
    var compose = variant.compose
    for field in CardChoice.fields {
      for value in request.form.all(field) { compose.set(field, value) }
    }
    var preview = try await ComposePreview(
      compose, for: try await ComposePages.sample(request), of: locales, request)
    // The campaign has one audience for all variants.
    preview.removeRefusals(of: .to)
    return preview
  }

  /// The devices of the audience by their locales; `nil` if no usable audience is chosen.
  private static func locales(
    _ form: CampaignForm, _ request: PageRequest
  ) async throws -> AudienceLocales? {
    guard form.form["to"] != nil else { return nil }
    do {
      let audience = try await Target(BodyValue(form.target))
        .audience(app: request.app.id, at: request.now, request.router.store)
      return try await AudienceLocales(of: audience, request)
    } catch is RequestError {
      return nil
    } catch let error as StoreError where error.code == .conflict {
      return nil
    }
  }

  private static func page(
    _ form: CampaignForm, of campaign: Campaign?, _ request: PageRequest, status: Int = 200,
    problem: ComposePreview.Remark? = nil, focus: String? = nil
  ) async throws -> HTTPResponse {
    let isSubmitted = request.http.method == "POST"
    let locales = try await locales(form, request)
    let previews = try await previews(form, of: locales, request)
    let problems = try await form.problems(previews: previews, request)
    var view = CampaignFormView(
      form: form, campaign: campaign, request: request,
      choices: try await ComposeChoices(
        request, for: form.compose, coverage: locales.map { LanguageCoverage([], in: $0) }),
      limits: try await request.router.store.limits(app: request.app.id),
      locales: locales, shown: try await picture(form, of: previews, request),
      sample: try await ComposePages.sample(request), steps: form.stepList(problems, in: locales),
      isRefused: status >= 400, focus: focus)
    view.templates = try await request.router.store.templates(
      app: request.app.id, matching: "", after: nil, limit: CampaignFormView.templateLimit
    ).elements
    // After a conflict the page is of the new version. Otherwise it is of the version that the user knows.
    if isSubmitted, status != 409, let version = request.form["version"] { view.version = version }
    if status >= 400 { view.remarks = [problem].compactMap { $0 } + problems }
    if isSubmitted {
      for (preview, variant) in zip(previews, form.variants) {
        view.remarks += CampaignForm.remarks(of: preview, on: variant).filter {
          $0.severity != ComposePreview.refusal || status < 400
        }
      }
    }
    let response = WebPage(
      title: campaign == nil ? "New campaign" : "Edit campaign", section: .sends, main: view.html,
      scripts: ["campaign.js", "audience.js"]
    ).response(status: status, for: request)
    return isSubmitted ? response.keptForBack : response
  }

  private static func picture(
    _ form: CampaignForm, of previews: [ComposePreview], _ request: PageRequest
  ) async throws -> PreviewPane.Picture {
    let index = shown(of: form, request)
    var picture = PreviewPane.Picture(
      title: form.variants[index].title, preview: previews[index], inbox: previews[index].inbox)
    try await picture.preview.draw(request, waiting: MediaPreview.shortWait)
    picture.card = await picture.preview.picture(
      PreviewPane.appearance(of: form.form), scale: 1, by: request.router.cards)
    return picture
  }
}

extension Campaign {
  /// Whether the campaign is a draft, which the pages can change.
  var canBeEdited: Bool { state == .draft }
}
