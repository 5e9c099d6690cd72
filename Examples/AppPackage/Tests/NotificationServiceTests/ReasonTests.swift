import NotificationHost
import NotificationHostTesting
import Testing

@testable import NotificationService

@Test("a picture that is missing fails the test, with the reason in its message")
func missingPicture() async throws {
  let missing = ScriptedNetwork.Response(status: 404)
  let phone = try TestPhone(["https://cdn.example/a.png": missing]) { NotificationService() }
  let report = try await phone.deliver(
    """
    {"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "https://cdn.example/a.png"}
    """)
  withKnownIssue {
    report.expect(.displayed, body: "Hello", attachments: ["public.png"])
  } matching: { issue in
    issue.comments.contains {
      $0.rawValue.hasPrefix(
        #"the attachments are [], not ["public.png"]; https://cdn.example/a.png: http-status 404"#)
    }
  }
}
