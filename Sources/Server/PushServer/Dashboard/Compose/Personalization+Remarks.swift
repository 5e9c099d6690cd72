import PushModel
import PushPayload

extension Personalization {
  /// The warnings about the texts of a form; `members` are the devices of its audience, or `nil` if none is chosen.
  static func remarks(
    on payload: BodyValue, of form: ComposeForm, members: DeviceNumbers?, _ request: PageRequest
  ) async throws(StoreError) -> [ComposePreview.Remark] {
    let texts = Personalization(payload.value, at: payload.path)
    return try await request.router.audiences.problems(
      of: texts, members: members, app: request.app.id
    ).map {
      ComposePreview.Remark(warning: $0.message, advice: $0.advice, path: $0.path, in: form)
    }
  }
}
