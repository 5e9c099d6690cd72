import FoundationOnly
import NotificationHost
import NotificationHostTesting
import Testing

/// A file of an extension that imports only Foundation, in a target with the flag of docs/app/modules-on-linux.md.
@Suite("Files that import only Foundation")
struct FoundationOnlyTests {
  @Test(
    "have the phone's network, folders and clock",
    arguments: [
      (ScriptedNetwork.Response(body: .onePixelPNG), ["public.png"]),
      (ScriptedNetwork.Response(status: 404), []),
    ])
  func helper(answer: ScriptedNetwork.Response, types: [String]) async throws {
    let phone = try TestPhone(["https://a/i.png": answer]) { PictureService() }
    let report = try await phone.deliver(
      #"{"aps": {"alert": "Hello", "mutable-content": 1}, "image": "https://a/i.png"}"#)
    report.expect(.displayed, body: "Hello", attachments: types)
    #expect(report.run.elapsed >= .seconds(19))
  }
}
