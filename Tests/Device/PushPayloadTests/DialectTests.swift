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
    "the media of each vendor are found",
    arguments: [
      Row(
        testDescription: "Sailthru's current key",
        payload: ["_st": ["image_url": "https://a/i.png"]], dialect: .sailthru,
        media: ["https://a/i.png"]),
      Row(
        testDescription: "Carnival's older key", payload: ["image_url": "https://a/i.png"],
        dialect: .carnival, media: ["https://a/i.png"]),
      Row(
        testDescription: "Salesforce's URL and alternative text",
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
        testDescription: "a key of no vendor",
        payload: ["aps": ["alert": "a"], "picture": "https://a/i.jpg"], dialect: .none),
      Row(testDescription: "not even an object", payload: [1], dialect: .none),
    ])
  func media(row: Row) { check(row) }

  @Test(
    "a video is preferred to an image, and null is absent",
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
        testDescription: "with both null there is no media",
        payload: ["_st": ["image_url": .null, "video_url": .null]], dialect: .sailthru),
      Row(
        testDescription: "_st of a wrong type has no media", payload: ["_st": "x"],
        dialect: .sailthru),
    ])
  func preference(row: Row) { check(row) }

  @Test(
    "two vendors in one payload have a fixed order",
    arguments: [
      Row(
        testDescription: "Sailthru before Carnival's older key",
        payload: ["_st": ["image_url": "https://a/1"], "image_url": "https://a/2"],
        dialect: .sailthru, media: ["https://a/1"]),
      Row(
        testDescription: "Sailthru without media does not hide Carnival's older key",
        payload: ["_st": ["mid": "m"], "image_url": "https://a/2"], dialect: .carnival,
        media: ["https://a/2"]),
      Row(
        testDescription: "Sailthru before Salesforce",
        payload: ["_mediaUrl": "https://a/2", "_st": ["video_url": "https://a/1"]],
        dialect: .sailthru, media: ["https://a/1"]),
    ])
  func collisions(row: Row) { check(row) }

  @Test("the payload replaces the title")
  func title() {
    check(
      Row(
        testDescription: "", payload: ["_st": [:], "title": "New"], dialect: .sailthru, title: "New"
      ))
  }

  @Test("the app's own keys are preferred, and dots in a key are escaped")
  func custom() {
    let dialect = Dialect.custom(
      media: ["data.picture", #"com\.app.pic"#], alternativeText: ["data.alt"])
    let table = DialectTable.standard.preceded(by: dialect)
    let payload: JSONValue = [
      "com.app": ["pic": "https://a/own.png"], "image_url": "https://a/other.png",
    ]
    let request = table.read(payload)
    #expect(request.dialect == .custom)
    #expect(request.media.map(\.wanted.url) == ["https://a/own.png"])
    #expect(request.media.first?.wanted.path.description == "$['com.app'].pic")
  }

  @Test("a value of a wrong type is absent and reported")
  func findings() {
    let request = DialectTable.standard.read(["_st": ["video_url": ["https://a"]]])
    #expect(request.media.isEmpty)
    #expect(request.findings.map(\.path) == ["$._st.video_url"])
  }

  private func check(_ row: Row, sourceLocation: SourceLocation = #_sourceLocation) {
    let request = DialectTable.standard.read(row.payload)
    #expect(request.dialect == row.dialect, sourceLocation: sourceLocation)
    #expect(request.media.map(\.wanted.url) == row.media, sourceLocation: sourceLocation)
    #expect(request.alternativeText == row.alternativeText, sourceLocation: sourceLocation)
    #expect(request.title == row.title, sourceLocation: sourceLocation)
  }
}
