import PushPayload
import Testing

@testable import PushServer

@Suite("The fields of the composer's remarks")
struct ComposeRemarkTests {
  @Test("the field is that of the refusal's path, whatever its text says")
  func field() {
    let refused = ComposePreview.Remark(.refused("$.payload.badge", "is out of range"))
    #expect(refused.field == .badge)
    #expect(refused.message == "$.payload.badge is out of range")
    #expect(ComposePreview.Remark(APIError(422, "$.payload.badge is out of range")).field == nil)
    #expect {
      try BodyValue(true, at: "$.notification.to").string()
    } throws: { error in
      (error as? APIError).map { ComposePreview.Remark($0).field } == .to
    }
  }

  @Test("a payload that cannot be composed keeps its path in the API's error")
  func composeError() {
    let error = ComposeError(.template, "text: no such tag", at: "$.payload.title")
    #expect(ComposePreview.Remark(error.apiError).field == .title)
    #expect(ComposeError(.missing("$.payload.alert")).path == "$.payload.alert")
  }
}
