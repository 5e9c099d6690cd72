import PushPayload
import Testing

@Suite("Payload paths")
struct PayloadPathTests {
  static let payload: JSONValue = [
    "a": ["b": "ab", "list": [.null, "one", ["u": "two"]], "none": .null],
    "com.app": ["k.v": "dots"], "one": "alone", "img1": "1", "img2": "2", "img4": "4",
    "text": #"{"a":[{"u":"in"}]}"#, "bad": "{", "": "empty", "members": ["z": 1, "y": 2],
    "a[]": "brackets",
  ]

  @Test(
    "a path leads to a value, or to the first of several",
    arguments: [
      ("a.b", "ab"), (#"com\.app.k\.v"#, "dots"), ("a.list[]", "one"), ("a.list[1]", "one"),
      ("a.list[2].u", "two"), ("one[]", "alone"), ("img#", "1"), ("members{}", 2),
      ("text<json>.a[].u", "in"), ("a?.b", "ab"), ("$.a.b", "ab"), (#"a\[]"#, "brackets"),
    ] as [(PayloadPath, JSONValue)])
  func value(path: PayloadPath, value: JSONValue) { #expect(Self.payload[path] == value) }

  @Test(
    "a path to nothing, to null or into a value of another type has no value",
    arguments: [
      "a.c", "a.none", "a.b.c", "a.list[0]", "a.list[9]", "a.list[99999999999999999999]", "one[0]",
      "one{}", "one#", "a.list.u", "text.a", "bad<json>.a", "x<json>", "img",
    ] as [PayloadPath])
  func nothing(path: PayloadPath) { #expect(Self.payload[path] == nil) }

  @Test("an empty path is the payload itself")
  func empty() { #expect(Self.payload[PayloadPath("")] == Self.payload) }

  @Test(
    "a path is printed as a JSON path",
    arguments: [
      ("_st.video_url", "$._st.video_url"), (#"com\.batch.at.u"#, "$['com.batch'].at.u"),
      ("urls[].url", "$.urls[].url"), ("att{}", "$.att{}"), ("pt_img#", "$.pt_img#"),
      ("es<json>[0]", "$.es<json>[0]"), ("m?.title", "$.m.title"), ("$.a", "$.a"), ("", "$"),
      ("media-url", "$.media-url"),
    ] as [(PayloadPath, String)])
  func printed(path: PayloadPath, text: String) { #expect(path.description == text) }

  @Test(
    "any text makes a path",
    arguments: ["\\", "[", "[-1]", "[x]", "]", "..", ".a.", "#", "?", "<json"])
  func anyText(text: String) { _ = Self.payload[PayloadPath(text)] }
}
