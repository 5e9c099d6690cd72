import PushModel
import PushPayload
import Testing

@Suite("The class of a send")
struct SendClassTests {
  @Test(
    "without a named class the number of devices decides, and a campaign's send is a campaign",
    arguments: [
      (devices: 1, named: nil, isOfCampaign: false, sendClass: SendClass.transactional),
      (100, nil, false, .transactional), (101, nil, false, .campaign), (1, nil, true, .campaign),
      (1, .campaign, false, .campaign), (101, .transactional, false, .transactional),
    ] as [(devices: Int, named: SendClass?, isOfCampaign: Bool, sendClass: SendClass)])
  func classes(devices: Int, named: SendClass?, isOfCampaign: Bool, sendClass: SendClass) {
    var send = Send(
      id: "s", messageID: "m", app: "a", audience: "all", payload: [:],
      createdAt: Timestamp(milliseconds: 0))
    send.counts.targeted = devices
    send.namedClass = named
    if isOfCampaign {
      send.origin = Send.RunOrigin(campaign: "c", run: "r", phase: .rollout, variant: "v")
    }
    #expect(send.sendClass == sendClass)
  }
}
