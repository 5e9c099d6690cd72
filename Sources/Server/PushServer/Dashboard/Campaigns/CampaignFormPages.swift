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
    var form = try CampaignForm(request.form)
    for file in request.form.files {
      guard let place = CampaignForm.part(ofField: file.name), place.part == "file" else {
        continue
      }
      let field = CampaignForm.name(place.index, ComposeField.media.rawValue)
      do {
        form.set(field, try await request.actions.upload(file.bytes, by: request.actor))
      } catch let error as RequestError {
        return try await page(
          form, of: campaign, request, status: error.status,
          problem: .refusal(error.message, at: field))
      }
    }
    guard request.form["action"] == "save" else {
      let action = request.form["action"] ?? ""
      if let change = CampaignForm.VariantChange(action: action) {
        let focus = form.apply(change)
        return try await page(form, of: campaign, request, focus: focus, draws: false)
      }
      if let index = CampaignForm.variant(filledBy: action) {
        let name = form.form[CampaignForm.name(index, CampaignForm.choicePart)] ?? ""
        if let template = try await request.router.store.template(name, app: request.app.id) {
          form.fill(variant: index, from: template)
        }
        return try await page(
          form, of: campaign, request, focus: CampaignForm.name(index, "title"))
      }
      if let focus = form.rowFocus(action) {
        return try await page(form, of: campaign, request, focus: focus, draws: false)
      }
      let focus = form.changeLanguages(action)
      return try await page(form, of: campaign, request, focus: focus, draws: focus == nil)
    }
    return try await save(form, replacing: campaign, request)
  }

  private static func save(
    _ form: CampaignForm, replacing campaign: Campaign?, _ request: PageRequest
  ) async throws -> HTTPResponse {
    let form = try await form.withoutChangedTemplates(request)
    let problems = try await form.problems(previews: try await previews(form, request), request)
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
          field, repeating: nil, by: request.actor)
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

  /// The previews of the variants, for a device without attributes.
  private static func previews(
    _ form: CampaignForm, _ request: PageRequest
  ) async throws -> [ComposePreview] {
    let locales = try await locales(form, request)
    var previews: [ComposePreview] = []
    for variant in form.variants {
      var preview = try await ComposePreview(variant.compose, for: nil, of: locales, request)
      // The campaign has one audience for all variants.
      preview.removeRefusals(of: .to)
      previews.append(preview)
    }
    return previews
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
    problem: ComposePreview.Remark? = nil, focus: String? = nil, draws: Bool = true
  ) async throws -> HTTPResponse {
    let isSubmitted = request.http.method == "POST"
    let locales = try await locales(form, request)
    var view = CampaignFormView(
      form: form, campaign: campaign, request: request,
      choices: try await ComposeChoices(
        request, for: form.compose, coverage: locales.map { LanguageCoverage([], in: $0) }),
      limits: try await request.router.store.limits(app: request.app.id),
      locales: locales, isRefused: status >= 400, focus: focus)
    view.templates = try await request.router.store.templates(
      app: request.app.id, matching: "", after: nil, limit: CampaignFormView.templateLimit
    ).elements
    // After a conflict the page is of the new version. Otherwise it is of the version that the user knows.
    if isSubmitted, status != 409, let version = request.form["version"] { view.version = version }
    if isSubmitted {
      var previews = try await previews(form, request)
      if status >= 400 {
        view.remarks = try await form.problems(previews: previews, request)
        if let problem { view.remarks.insert(problem, at: 0) }
      }
      for (index, variant) in form.variants.enumerated() where draws {
        view.remarks += CampaignForm.remarks(of: previews[index], on: variant).filter {
          $0.severity != ComposePreview.refusal || status < 400
        }
        if form.isInApp {
          let message = try? CampaignMessage(BodyValue(form.message(of: variant)), adding: nil)
          view.inboxes[index] = try await CampaignMessage.preview(message, request)
          continue
        }
        try await previews[index].draw(request, waiting: MediaPreview.shortWait)
        if let light = await previews[index].picture(.light, scale: 1, by: request.router.cards),
          let dark = await previews[index].picture(.dark, scale: 1, by: request.router.cards)
        {
          view.pictures[index] = (light, dark)
          view.budgets[index] = previews[index].budget
        }
      }
    }
    let response = WebPage(
      title: campaign == nil ? "New campaign" : "Edit campaign", section: .sends, main: view.html,
      scripts: ["campaign.js"]
    ).response(status: status, for: request)
    return isSubmitted ? response.keptForBack : response
  }
}

extension Campaign {
  /// Whether the campaign is a draft, which the pages can change.
  var canBeEdited: Bool { state == .draft }
}
