import PushModel
import PushPayload
import Testing
import _Curl
import _HTTPServer

@testable import PushServer

@Suite("Webhooks to private addresses")
struct WebhookTargetsTests {
  @Test(
    "a target is an address, a range or a host name",
    arguments: [
      ("192.168.1.5", true), ("192.168.0.0/16", true), ("fd00::/8", true), ("nas", true),
      ("NAS.home.arpa", true), ("10.0.0.0/33", false), ("", false), ("a b", false), ("a/b", false),
      ("1.2.3.4.5", false), (String(repeating: "a", count: 253), true),
      (String(repeating: "a", count: 254), false),
    ])
  func targets(_ text: String, _ isTarget: Bool) {
    #expect((WebhookTargets.Receiver(text) != nil) == isTarget)
  }

  @Test("a private receiver is refused by default, and taken where the server allows it")
  func create() async throws {
    let targets = WebhookTargets(
      ["192.168.0.0/16", "nas.home.arpa"].compactMap { WebhookTargets.Receiver($0) })
    for (host, isAllowed) in [
      ("192.168.1.5", true), ("nas.home.arpa", true), ("NAS.home.arpa:8080", true),
      ("192.169.1.5", nil), ("10.0.0.1", false), ("other.home.arpa", false), ("localhost", false),
      ("127.0.0.1", false), ("169.254.169.254", false), ("168.63.129.16", false),
      ("[::ffff:168.63.129.16]", false), ("100.100.100.200", false), ("[fd00:ec2::254]", false),
    ] as [(String, Bool?)] {
      for allows in [false, true] {
        var site = SiteSettings()
        if allows { site.webhookTargets = targets }
        let fixture = try await Fixture(site: site)
        let answer = await fixture.request(
          "POST", "/v6/webhooks", role: .admin,
          body: #"{"webhook":{"url":"http://\#(host)/a","events":["notification.create"]}}"#)
        let status = (isAllowed ?? true) && (allows || isAllowed == nil) ? 201 : 422
        #expect(answer.status == status, "\(host) \(allows): \(answer.text)")
      }
    }
  }

  @Test("a receiver at home is called where the server allows it")
  func call() async throws {
    let receiver = try HTTPServer { _ in HTTPResponse(status: 204) }
    let url = "http://127.0.0.1:\(receiver.port)/"
    for (text, isCalled) in [("127.0.0.0/8", true), ("127.0.0.1", true), ("10.0.0.0/8", false)] {
      let targets = WebhookTargets([WebhookTargets.Receiver(text)].compactMap(\.self))
      let request = OutgoingRequest(
        url: url, body: [], allowsPrivate: targets.admits(host:address:))
      let answer = try? await CurlClient().answer(to: request)
      #expect(answer?.status == (isCalled ? 204 : nil))
    }
    await receiver.stop()
  }
}
