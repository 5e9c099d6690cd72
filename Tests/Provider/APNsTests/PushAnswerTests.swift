import Testing
import _HTTP2

@testable import APNs

@Suite("The answer to a push")
struct PushAnswerTests {
  @Test(
    "the reason of an answer has 1 to 64 printable bytes",
    arguments: [
      (String(repeating: "x", count: 64), true), (String(repeating: "x", count: 65), false),
      ("Bad Token", true), ("", false), (#"Bad\u0000Token"#, false), (#"Bad\nToken"#, false),
      ("Bad\u{7f}", false), ("Bäd", false),
    ])
  func reason(text: String, isKept: Bool) {
    var answer = PushAnswer()
    answer.receive([HeaderField(":status", "400")])
    answer.receive(Array(#"{"reason":"\#(text)"}"#.utf8))
    let outcome = answer.outcome(ofID: "id")
    #expect(outcome.status == 400 && outcome.reason == answer.reason)
    #expect(outcome.reason?.rawValue == (isKept ? text : nil))
  }
}
