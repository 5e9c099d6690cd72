import PushPayload
import Testing

@testable import RichNotifications

@Suite("The text of a notification")
struct TextTests {
  static let payload: JSONValue = [
    "aps": ["alert": ["title": "Ann", "body": "100 % {x} %@"]], "order": ["id": 7, "note": ""],
  ]

  @Test(
    "a template is filled from the payload; a line without its value is not used",
    arguments: [
      ("{aps.alert.title} wrote", "Ann wrote"), ("Order {order.id}", "Order 7"),
      ("{aps.alert.body}", "100 % {x} %@"), ("Order {order.note}", "before"),
      ("{order.none}", "before"), ("{order}", "before"), ("50 % {{off}}", "50 % {off}}"),
      ("open {brace", "open {brace"), ("", "before"), ("{}", "before"), ("plain", "plain"),
      ("{aps.alert.title}{order.id}", "Ann7"),
    ])
  func template(line: String, expected: String) {
    var text = NotificationText(body: "before")
    text.fill(TextTemplate(body: TextTemplate.Line(line)), from: Self.payload)
    #expect(text.body == expected)
  }

  @Test(
    "control characters except tab and line feed are removed; an empty rest replaces nothing",
    arguments: [
      ("a\u{0}b\u{1B}[31mc", "ab[31mc"), ("a\tb\nc", "a\tb\nc"), ("a\u{85}b\u{7F}", "ab"),
      ("\u{0}\u{7}", "before"), ("👩‍👩‍👧 e\u{301}", "👩‍👩‍👧 e\u{301}"), ("%n %s %@ %%", "%n %s %@ %%"),
    ])
  func control(new: String, expected: String) {
    var text = NotificationText(body: "before")
    text.override(title: nil, subtitle: nil, body: new)
    #expect(text.body == expected)
  }
}
