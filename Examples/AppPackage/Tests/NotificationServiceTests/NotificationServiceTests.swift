import NotificationHost
import NotificationHostTesting
import Testing

@testable import NotificationService

let png = ScriptedNetwork.Response(body: .onePixelPNG)

@Test(
  "the text is shown, whatever the media server answers",
  arguments: [(png, ["public.png"]), (ScriptedNetwork.Response(status: 404), [])])
func picture(answer: ScriptedNetwork.Response, types: [String]) async throws {
  let phone = try TestPhone(["https://cdn.example/a.png": answer]) { NotificationService() }
  let report = try await phone.deliver(
    """
    {"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "https://cdn.example/a.png"}
    """)
  report.expect(.displayed, body: "Hello", attachments: types)
}
