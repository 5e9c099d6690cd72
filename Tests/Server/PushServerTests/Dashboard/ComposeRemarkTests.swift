import PushPayload
import Testing

@testable import PushServer

@Suite("The fields of the composer's remarks")
struct ComposeRemarkTests {
  @Test("the field is that of the refusal's path, whatever its text says")
  func field() {
    let refused = ComposePreview.Remark(.refused("$.payload.badge", "is out of range"))
    #expect(refused.field == .badge)
    #expect(refused.message == "Badge is out of range")
    #expect(
      ComposePreview.Remark(RequestError(.invalid, "$.payload.badge is out of range")).field == nil)
    #expect {
      try BodyValue(true, at: "$.notification.to").string()
    } throws: { error in
      (error as? RequestError).map { ComposePreview.Remark($0).field } == .to
    }
  }

  @Test(
    "a refusal names the field, the button or the custom data, and no JSON path",
    arguments: [
      ("$.notification.payload.badge", "must be a whole number", "Badge must be a whole number"),
      (
        "$.message.unpublish_at", "must be after scheduled_at",
        "Unpublish at must be after “Send at”"
      ),
      ("$._martlet.buttons[1]", "has no title", "Button 2 has no title"),
      ("$.notification.payload.colour", "must be a string", "“colour” must be a string"),
      (
        "$.notification.payload", "is 5000 bytes; set _overflow to shorten",
        "The notification is 5000 bytes; choose “Shorten text that exceeds the size limit”"
      ),
      ("$.more", "is not JSON", "Additional JSON is not JSON"),
    ])
  func words(path: String, problem: String, shown: String) {
    #expect(ComposePreview.Remark(.refused(path, problem)).message == shown)
  }

  @Test("a payload that cannot be composed keeps its path in the API's error")
  func composeError() {
    let error = ComposeError(.template, "text: no such tag", at: "$.payload.title")
    #expect(ComposePreview.Remark(error.requestError).field == .title)
    #expect(ComposeError(.missing("$.payload.alert")).path == "$.payload.alert")
  }
}
