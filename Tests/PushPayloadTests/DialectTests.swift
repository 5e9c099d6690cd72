import PushPayload
import Testing

@Suite("Dialects")
struct DialectTests {
  struct Row: CustomTestStringConvertible {
    var testDescription: String
    var payload: JSONValue
    var dialect: Dialect.ID
    var media: [String] = []
    var alternativeText: String?
    var title: String?
  }

  @Test(
    "S3: each vendor's place is found",
    arguments: [
      Row(
        testDescription: "Sailthru's current place",
        payload: ["_st": ["image_url": "https://a/i.png"]], dialect: .sailthru,
        media: ["https://a/i.png"]),
      Row(
        testDescription: "Carnival's older place", payload: ["image_url": "https://a/i.png"],
        dialect: .carnival, media: ["https://a/i.png"]),
      Row(
        testDescription: "Salesforce's URL and alternative",
        payload: ["_mediaUrl": "https://a/i.png", "_mediaAlt": "alt"], dialect: .salesforce,
        media: ["https://a/i.png"], alternativeText: "alt"),
      Row(
        testDescription: "the tutorial's key inside aps",
        payload: ["aps": ["imageAbsoluteString": "https://a/i.jpg"]], dialect: .imageAbsoluteString,
        media: ["https://a/i.jpg"]),
      Row(
        testDescription: "the tutorial's key beside aps",
        payload: ["imageAbsoluteString": "https://a/i.jpg"], dialect: .imageAbsoluteString,
        media: ["https://a/i.jpg"]),
      Row(
        testDescription: "no vendor's",
        payload: ["aps": ["alert": "a"], "picture": "https://a/i.jpg"], dialect: .none),
      Row(testDescription: "not even an object", payload: [1], dialect: .none),
    ])
  func places(row: Row) { check(row) }

  @Test(
    "S2: video wins over image, null is absent",
    arguments: [
      Row(
        testDescription: "video before image",
        payload: ["_st": ["image_url": "https://a/i.png", "video_url": "https://a/v.mp4"]],
        dialect: .sailthru, media: ["https://a/v.mp4"]),
      Row(
        testDescription: "a null video leaves the image",
        payload: ["_st": ["image_url": "https://a/i.png", "video_url": .null]], dialect: .sailthru,
        media: ["https://a/i.png"]),
      Row(
        testDescription: "an empty video leaves the image",
        payload: ["video_url": "", "image_url": "https://a/i.png"], dialect: .carnival,
        media: ["https://a/i.png"]),
      Row(
        testDescription: "a number leaves the image",
        payload: ["video_url": 7, "image_url": "https://a/i.png"], dialect: .carnival,
        media: ["https://a/i.png"]),
      Row(
        testDescription: "both null ask for nothing",
        payload: ["_st": ["image_url": .null, "video_url": .null]], dialect: .sailthru),
      Row(
        testDescription: "_st of a wrong type asks for nothing", payload: ["_st": "x"],
        dialect: .sailthru),
    ])
  func preference(row: Row) { check(row) }

  @Test(
    "two vendors in one payload resolve the same way every time",
    arguments: [
      Row(
        testDescription: "the vendor before the older habit",
        payload: ["_st": ["image_url": "https://a/1"], "image_url": "https://a/2"],
        dialect: .sailthru, media: ["https://a/1"]),
      Row(
        testDescription: "a marker without media does not hide the older habit",
        payload: ["_st": ["mid": "m"], "image_url": "https://a/2"], dialect: .carnival,
        media: ["https://a/2"]),
      Row(
        testDescription: "Sailthru before Salesforce",
        payload: ["_mediaUrl": "https://a/2", "_st": ["video_url": "https://a/1"]],
        dialect: .sailthru, media: ["https://a/1"]),
    ])
  func collisions(row: Row) { check(row) }

  @Test("S4: the title is replaced from the payload")
  func title() {
    check(
      Row(
        testDescription: "", payload: ["_st": [:], "title": "New"], dialect: .sailthru, title: "New"
      ))
  }

  @Test("S3: keys that the app names itself win, dots inside a key escaped")
  func custom() {
    let dialect = Dialect.custom(
      media: ["data.picture", #"com\.app.pic"#], alternativeText: ["data.alt"])
    let table = DialectTable.standard.preceded(by: dialect)
    let payload: JSONValue = [
      "com.app": ["pic": "https://a/own.png"], "image_url": "https://a/other.png",
    ]
    let content = table.read(payload)
    #expect(content.dialect == .custom)
    #expect(content.media.map(\.wanted.url) == ["https://a/own.png"])
    #expect(content.media.first?.wanted.path.description == "$['com.app'].pic")
  }

  @Test("a value of a wrong type is absent, and said")
  func findings() {
    let content = DialectTable.standard.read(["_st": ["video_url": ["https://a"]]])
    #expect(content.media.isEmpty)
    #expect(content.findings.map(\.path) == ["$._st.video_url"])
  }

  private func check(_ row: Row, sourceLocation: SourceLocation = #_sourceLocation) {
    let content = DialectTable.standard.read(row.payload)
    #expect(content.dialect == row.dialect, sourceLocation: sourceLocation)
    #expect(content.media.map(\.wanted.url) == row.media, sourceLocation: sourceLocation)
    #expect(content.alternativeText == row.alternativeText, sourceLocation: sourceLocation)
    #expect(content.title == row.title, sourceLocation: sourceLocation)
  }
}
