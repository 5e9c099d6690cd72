import Markup
import PushModel
import PushPayload
import _HTTPServer

/// The page of the limits that apply to all campaigns of an app.
enum LimitsPages {
  static let path = "/limits"

  static let all: [Route] = [
    .page("GET", .settings, at: path) { request in
      let limits = try await request.router.store.limits(app: request.app.id)
      return page(LimitsForm(limits), of: limits, request)
    },
    .page("POST", .settings, at: path, handler: submit),
  ]

  private static func submit(_ request: PageRequest) async throws -> HTTPResponse {
    let limits = try await request.router.store.limits(app: request.app.id)
    let form = LimitsForm(request.form, replacing: limits)
    guard request.form["action"] == "save" else {
      return page(
        form, of: limits, request, focus: LimitsForm.capName(form.capRows.count - 1, "most"))
    }
    func refused(_ status: Int, _ message: String) -> HTTPResponse {
      let remark = ComposePreview.Remark(
        field: nil, severity: ComposePreview.refusal, message: message)
      return page(form, of: limits, request, status: status, remarks: [remark])
    }
    let problems = form.problems
    guard problems.isEmpty else {
      return page(form, of: limits, request, status: 422, remarks: problems)
    }
    let overwritten =
      "Somebody else has changed these limits meanwhile: \(words(limits)) Save again to overwrite that."
    guard let version = request.form["version"], version == limits.version else {
      return refused(409, overwritten)
    }
    do {
      let saved = try await request.actions.replaceLimits(
        BodyValue(form.limits(version: version), at: "$.limits"), by: request.actor)
      var done = request
      done.form = Form()
      return page(LimitsForm(saved), of: saved, done, notice: "Saved. \(words(saved))")
    } catch let error as RequestError {
      let problem = SettingsField.problem(error, action: nil).message
      return refused(error.status, error.code == .conflict ? overwritten : problem)
    } catch let error as StoreError where error.code == .conflict {
      let now = try await request.router.store.limits(app: request.app.id)
      let remark = ComposePreview.Remark(
        field: nil, severity: ComposePreview.refusal,
        message:
          "Somebody else has changed these limits meanwhile: \(words(now)) Save again to overwrite that."
      )
      return page(
        LimitsForm(request.form, replacing: now), of: now, request, status: 409, remarks: [remark])
    }
  }

  /// The limits in sentences.
  static func words(_ limits: AppLimits) -> String {
    let quiet = limits.quiet.map { "Quiet hours from \($0.span)." } ?? "No quiet hours."
    let caps =
      limits.caps.isEmpty ? "No frequency caps." : "At most \(FrequencyCap.words(limits.caps))."
    let holdout = limits.holdout.map { "A holdout of \($0.percent) %." } ?? "No holdout."
    let approval =
      switch limits.approval {
      case .none: "Campaigns need no approval."
      case .required: "Campaigns need an approval."
      case .everySend: "Every send needs an approval."
      }
    return "\(quiet) \(caps) \(holdout) \(approval)"
  }

  private static func page(
    _ form: LimitsForm, of limits: AppLimits, _ request: PageRequest, status: Int = 200,
    remarks: [ComposePreview.Remark] = [], notice: String? = nil, focus: String? = nil
  ) -> HTTPResponse {
    // After a conflict the page is of the new version. Otherwise it is of the version that the user knows.
    let known = status == 409 ? nil : request.form["version"]
    let view = LimitsView(
      request: request, form: form, limits: limits, version: known ?? limits.version,
      remarks: remarks, notice: notice, focus: focus)
    let response = WebPage(title: "Limits", section: .settings, main: view.html)
      .response(status: status, for: request)
    return request.http.method == "POST" ? response.keptForBack : response
  }
}
