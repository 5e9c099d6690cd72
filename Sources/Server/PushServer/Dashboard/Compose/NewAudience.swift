import PushModel
import _HTTPServer

/// The builder of audiences as a part of another form, which goes on with the new audience chosen.
///
/// The builder carries the fields of the form, so that nothing that was written is lost, also without scripts.
struct NewAudience: Sendable {
  /// The value of the button that opens the builder.
  static let action = "audience"
  /// The value of the button that leads back without an audience.
  static let back = "back"
  /// The field with the fields of the form.
  static let field = "carried"

  /// The path of the form, and the section that has it.
  var path: String
  var section: Section
  /// The fields of the form, URL-encoded.
  var carried: String

  /// The builder that a request of the form opens or comes from; `nil` if the request has nothing to do with it.
  init?(_ request: PageRequest, at path: String, in section: Section) {
    (self.path, self.section) = (path, section)
    if let carried = request.form[Self.field] {
      self.carried = carried
    } else {
      guard request.form["action"] == Self.action else { return nil }
      carried =
        Form(request.form.fields.filter { !["token", "action"].contains($0.name) })
        .urlEncoded
    }
  }

  /// Answers the request: with the builder, or with the form by `back`, whose request has the fields of the form.
  func answer(
    _ request: PageRequest, back: @escaping @Sendable (PageRequest) async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    try request.require(.write, to: "make an audience")
    switch request.form["action"] {
    case Self.action: return try await AudiencesPages.builder(within: self, request)
    case Self.back: return try await back(try returned(request))
    default:
      return try await AudiencesPages.submit(request, within: self) { audience in
        try await back(try returned(request, choosing: audience.id))
      }
    }
  }

  private func returned(
    _ request: PageRequest, choosing audience: String? = nil
  ) throws(RequestError) -> PageRequest {
    var own = request
    own.form = try Form(urlEncoded: carried)
    if let audience { own.form.set(ComposeField.to.rawValue, audience) }
    return own
  }
}
