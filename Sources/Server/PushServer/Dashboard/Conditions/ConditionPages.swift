import Markup
import PushModel
import PushPayload
import _HTTPServer

/// What the script of the builder asks for: the builder after a change, and values of a field.
enum ConditionPages {
  static let path = "/conditions"

  static let all: [Route] = [
    .page("POST", .audiences, at: path, needs: .see, handler: change),
    .page("GET", .audiences, at: path + "/values", handler: values),
  ]

  /// The action that asks for the count alone.
  private static let countAction = AudienceConditions.name("count")

  /// The builder of a form after the change of one of its buttons, or the count alone.
  private static func change(_ request: PageRequest) async throws -> HTTPResponse {
    let form = AudienceForm(request.form)
    let action = request.form["action"] ?? ""
    var conditions = form.conditions
    let edited = try await audience(request)
    guard action != countAction else {
      return part(try await form.count(of: edited, conditions, request).html)
    }
    let focus = ConditionChange(action: action).flatMap { conditions.apply($0) }
    let view = ConditionsView(
      conditions: conditions,
      choices: try await ConditionChoices(for: conditions, of: edited, request), request: request,
      focus: focus)
    let count = try await form.count(of: edited, conditions, request)
    return part("\(view.html)\(count.html)")
  }

  /// The answer with a part of a page.
  private static func part(_ html: HTML) -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [("Content-Type", "text/html; charset=utf-8")] + WebPage.headers,
      body: html.bytes)
  }

  /// The audience of which the form is the builder; `nil` if it is new or damaged.
  private static func audience(_ request: PageRequest) async throws -> Audience? {
    guard let id = request.form["audience_id"] else { return nil }
    return try? await request.router.store.audience(id, app: request.app.id)
  }

  /// Values of a field that have a text in them: `{"values": [{"text", "devices"}], "whole"}`.
  private static func values(_ request: PageRequest) async throws -> HTTPResponse {
    let name = request.call.query("field") ?? ""
    guard let field = Filter.Field(apiName: name) else {
      throw RequestError(.invalid, "“\(name.prefix(64))” is not a field")
    }
    let found = try await request.router.audiences.values(
      of: field, containing: request.call.query("text") ?? "", limit: ConditionChoices.valueLimit,
      app: request.app.id)
    let values = found.values.map { value -> JSONValue in
      ["text": .string(value.text), "devices": .integer(Int64(value.devices))]
    }
    return .json(["values": .array(values), "whole": .bool(found.isWhole)])
  }
}
