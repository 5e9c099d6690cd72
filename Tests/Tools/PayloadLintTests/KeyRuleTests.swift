import PayloadLint
import PushPayload
import Testing

@Suite("Keys in a wrong place, and requests of other services")
struct KeyRuleTests {
  @Test(
    "a key of aps beside it is reported, with an aps and without one",
    arguments: [
      ("alert", #""Hi""#), ("alert", #"{"body":"Hi"}"#), ("badge", "3"), ("badge", #""3""#),
      ("sound", #""default""#), ("sound", #"{"name":"a.caf"}"#), ("category", #""INVITE""#),
      ("thread-id", #""a""#), ("content-available", "1"), ("mutable-content", "1"),
      ("interruption-level", #""active""#), ("relevance-score", "1"),
    ])
  func besideAps(key: String, value: String) {
    let aps = key == "alert" ? #"{"badge":1}"# : #"{"alert":"Hi"}"#
    let beside = LintReport(#"{"aps":\#(aps),"\#(key)":\#(value)}"#).lines
    #expect(beside.contains("M222 $\(step(key))"))
    let alone = LintReport(#"{"\#(key)":\#(value)}"#).lines
    #expect(alone.contains("M222 $\(step(key))") && alone.contains("M201 $"))
  }

  private func step(_ key: String) -> String { String(PayloadPath(key).description.dropFirst()) }

  @Test(
    "a key beside aps is not reported where it is the app's own or a vendor's",
    arguments: [
      #"{"aps":{"alert":"Hi"},"title":"T","body":"B","message":"M"}"#,
      #"{"aps":{"alert":"Hi","sound":"a.caf"},"sound":"b.caf"}"#,
      #"{"aps":{"alert":"Hi"},"category":["a"],"sound":true,"badge":{"id":1},"alert":7}"#,
      #"{"aps":{"alert":"Hi","mutable-content":1},"source":"xnpe_platform","badge":"3"}"#,
      #"{"aps":{"alert":"Hi","mutable-content":1},"_nid":"1","sound":null}"#,
    ])
  func ownKeys(payload: String) {
    #expect(!LintReport(payload).entries.contains { $0.rule.code == "M222" })
  }

  @Test(
    "a slip in a key of aps or of the alert names Apple's key",
    arguments: [
      (#"{"aps":{"alert":"A","badges":1}}"#, "$.aps.badges", "badge"),
      (#"{"aps":{"alert":"A","sounds":"default"}}"#, "$.aps.sounds", "sound"),
      (#"{"aps":{"alerts":"A","badge":1}}"#, "$.aps.alerts", "alert"),
      (#"{"aps":{"alert":"A","events":"update"}}"#, "$.aps.events", "event"),
      (#"{"aps":{"alert":"A","content-states":{}}}"#, "$.aps.content-states", "content-state"),
      (#"{"aps":{"alert":"A","mutable-contents":1}}"#, "$.aps.mutable-contents", "mutable-content"),
      (#"{"aps":{"alert":"A","categories":"B"}}"#, "$.aps.categories", "category"),
      (#"{"aps":{"alert":"A","thread":"b"}}"#, "$.aps.thread", "thread-id"),
      (#"{"aps":{"alert":{"boddy":"A"}}}"#, "$.aps.alert.boddy", "body"),
    ])
  func slips(payload: String, path: String, key: String) {
    let entries = LintReport(payload).entries
    let found = entries.filter { $0.rule.code == "M221" }
    #expect(found.map(\.path) == [path] && found.map(\.message) == ["must be spelled \(key)"])
    #expect(!entries.contains { ["M223", "M306"].contains($0.rule.code) })
  }

  @Test(
    "a key inside aps that only looks like one of Apple's is the app's own",
    arguments: [
      // Another first letter, two letters of a short name, a value of another type, and a key beside Apple's.
      #""round":"x""#, #""budget":3"#, #""souds":"x""#, #""badges":{}"#, #""content-type":"news""#,
      #""target":"home""#, #""badge":1,"badges":2"#,
    ])
  func notSlips(members: String) {
    let codes = LintReport(#"{"aps":{"alert":"A",\#(members)}}"#).entries.map(\.rule.code)
    #expect(codes == ["M223"])
  }

  @Test(
    "a header of the request is found in the objects where people put it, but not in another service's request",
    arguments: [
      (#"{"aps":{"alert":"A"},"headers":{"apns-topic":"a"}}"#, "$.headers.apns-topic"),
      (#"{"aps":{"alert":"A"},"apns":{"apns-priority":"5"}}"#, "$.apns.apns-priority"),
      (
        #"{"aps":{"alert":"A"},"apns":{"headers":{"APNS-Priority":"5"}}}"#,
        "$.apns.headers.APNS-Priority"
      ),
      (#"{"aps":{"alert":"A"},"data":{"apns-id":"a"}}"#, "$.data.apns-id"),
      (#"{"aps":{"alert":"A"},"order":{"apns-id":"a"},"headers":["apns-id"]}"#, nil),
      (
        #"{"token":"t","apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"A"}}}}"#,
        nil
      ),
    ] as [(String, String?)])
  func headers(payload: String, path: String?) {
    let found = LintReport(payload).entries.filter { $0.rule.code == "M226" }
    #expect(found.map(\.path) == (path.map { [$0] } ?? []))
  }

  @Test("payloads of the types without aps have no key beside it")
  func withoutAps() {
    let call = #"{"alert":"Ada","sound":"ring.caf"}"#
    #expect(LintReport(call, LintHeaders(pushType: "voip")).entries.isEmpty)
    let pass = LintHeaders(topic: "pass.com.example.ticket")
    #expect(LintReport("{}", pass).entries.isEmpty)
    #expect(LintReport("{}", LintHeaders(topic: "com.example.app")).lines == ["M201 $"])
  }

  @Test(
    "a request to another service is named, with the path of the payload inside",
    arguments: [
      (
        #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":"A"}}}}}"#,
        "is a request to the FCM HTTP v1 API; APNs takes only its $.message.apns.payload"
      ),
      (
        #"{"message":{"topic":"t","notification":{"body":"A"}}}"#,
        "is a request to the FCM HTTP v1 API; "
          + "write title and body in aps.alert, and its data beside aps"
      ),
      (
        #"{"token":"t","apns":{"payload":{"aps":{"alert":"A"}}}}"#,
        "is a message for the Firebase Admin SDK; APNs takes only its $.apns.payload"
      ),
      (
        #"{"interests":["a"],"apns":{"aps":{"alert":"A"}}}"#,
        "is a request to Pusher Beams; APNs takes only its $.apns"
      ),
      (
        #"{"pn_apns":{"aps":{"alert":"A"}}}"#,
        "is a message for PubNub; APNs takes only its $.pn_apns"
      ),
      (
        #"{"deviceToken":"00","payload":{"aps":{"alert":"A"}}}"#,
        "is an argument of an APNs library; APNs takes only its $.payload"
      ),
      (
        #"{"default":"A","APNS_SANDBOX":"{\"aps\":{}}"}"#,
        "is a message for Amazon SNS; APNs takes only the JSON inside the string $.APNS_SANDBOX"
      ),
    ])
  func foreign(payload: String, message: String) {
    let entries = LintReport(payload).entries.filter { $0.rule.code == "M110" }
    #expect(entries.map(\.message) == [message])
  }

  @Test(
    "a payload with an aps of its own is no request to another service, whatever else it has",
    arguments: [
      #"{"aps":{"alert":"A"},"to":"ExponentPushToken[a]","app_id":"1","contents":{"en":"A"}}"#,
      #"{"aps":{"alert":"A"},"message":{"token":"t"},"notification":{"icon":"a"}}"#,
      #"{"aps":{"alert":"A"},"APNS":"{}","audience":"all","platform":"ios"}"#,
    ])
  func own(payload: String) {
    #expect(!LintReport(payload).entries.contains { $0.rule.code == "M110" })
  }

  @Test(
    "the vendor that is named reads the key once it stands beside aps",
    arguments: LintFixture.dialects.filter { $0.name.contains("typical") })
  func vendor(fixture: LintFixture) throws {
    let payload = try JSONValue(parsing: String(decoding: fixture.bytes, as: UTF8.self))
    guard var members = payload.object, let aps = members.removeValue(forKey: "aps") else { return }
    for key in ["data", "payload", "custom_data"] {
      let moved: JSONValue = ["aps": aps, key: .object(members)]
      let subject = LintSubject(moved.serialized(), now: nil)
      for entry in LintReport(subject).entries where entry.rule.code == "M803" {
        let named = DialectTable.standard.read(payload).dialect
        #expect(entry.message == "must be beside aps, where \(named) reads it", "\(fixture.name)")
      }
    }
  }

  @Test(
    "a common word deep in a payload is not taken for a vendor's key",
    arguments: [
      #""shop":{"rich-media":"https://a.io/a"}"#, #""shop":{"media-attachment":"https://a.io/a"}"#,
      #""shop":{"media-attachment-url":"https://a.io/a"}"#, #""shop":{"image":"https://a.io/a"}"#,
      #""shop":{"internalData":{"atts":[{"url":"https://a.io/a"}]}}"#,
      // Beside aps, the dialect of the payload's own vendor wins.
      #""_motisig":{"image":"https://a.io/b"},"x":{"_st":{"title":"T"}}"#,
    ])
  func commonWords(members: String) {
    let report = LintReport(#"{"aps":{"alert":"A","mutable-content":1},\#(members)}"#)
    #expect(!report.entries.contains { $0.rule.code == "M803" }, "\(report.lines)")
  }

  @Test("of two vendors that read a key, the one that would read it beside aps is named")
  func sharedKey() {
    let own = #""_motisig":{"messageId":"1"},"data":{"fcm_options":{"image":"https://a.io/a"}}"#
    let report = LintReport(#"{"aps":{"alert":"A","mutable-content":1},\#(own)}"#)
    let messages = report.entries.filter { $0.rule.code == "M803" }.map(\.message)
    let standard = DialectTable.standard.read([
      "_motisig": ["messageId": "1"], "fcm_options": ["image": "https://a.io/a"],
    ])
    #expect(messages == ["must be beside aps, where \(standard.dialect) reads it"])
  }
}
