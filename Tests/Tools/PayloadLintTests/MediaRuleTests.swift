@testable import PayloadLint
import PushPayload
import Testing

@Suite("Media URLs")
struct MediaRuleTests {
  private func report(
    _ url: String, _ headers: LintHeaders = LintHeaders(), now: Int64? = LintFixture.now
  ) -> LintReport {
    let json: JSONValue = [
      "aps": ["alert": "A", "mutable-content": 1], "fcm_options": ["image": .string(url)],
    ]
    return LintReport(LintSubject(json.serialized(), headers: headers, now: now))
  }

  private func codes(
    _ url: String, _ headers: LintHeaders = LintHeaders(), now: Int64? = LintFixture.now
  ) -> [String] {
    report(url, headers, now: now).entries.map(\.rule.code)
  }

  @Test(
    "a file on a server or in the app has no finding",
    arguments: [
      "https://cdn.example.com/a.jpg", "https://cdn.example.com:8443/a%20b.jpg?w=1&h=2#x",
      "a.jpg", "file://a.jpg", "https://example.com/ä.jpg", "https://93.184.215.14/a.jpg",
      "https://i.imgur.com/a1b2c3.jpg", "https://imgur.com/a1b2c3.jpg",
      "https://img.youtube.com.example.com/vi/1/0.jpg", "https://i.ytimg.com/vi/1/0.jpg",
      "https://img.youtube.com/vi/1/hqdefault.jpg", "https://graph.facebook.com/1/picture",
      "https://drive.google.com/uc?export=download&id=1", "https://drive.google.com/thumbnail?id=1",
      "https://www.dropbox.com/s/x/a.jpg?raw=1", "https://www.dropbox.com/s/x/a.jpg?dl=1",
      "https://dl.dropboxusercontent.com/s/x/a.jpg", "https://github.com/o/n/raw/main/a.png",
      "https://raw.githubusercontent.com/o/n/main/a.png",
      "https://github.com/o/n/blob/main/a.png?raw=true",
      "https://media.giphy.com/media/1/giphy.gif", "https://images.unsplash.com/photo-1?w=400",
      "https://lh3.googleusercontent.com/a.jpg", "https://upload.wikimedia.org/a.jpg",
      "https://media.tenor.com/1/a.gif", "https://scontent.cdninstagram.com/a.jpg",
    ])
  func fine(url: String) {
    #expect(report(url).lines == [])
  }

  @Test(
    "a page is found by its host and path, with what to write instead",
    arguments: [
      ("https://m.youtube.com/watch?v=1", "https://img.youtube.com/vi/ID/hqdefault.jpg"),
      ("https://music.youtube.com/watch?v=1", "https://img.youtube.com/vi/ID/hqdefault.jpg"),
      ("https://drive.google.com/file/d/1/view", "https://drive.google.com/uc?export=download"),
      ("https://www.dropbox.com/scl/fi/1/a.jpg?rlkey=2&dl=0", "raw=1"),
      ("https://imgur.com/a1", "https://i.imgur.com/ID.jpg"),
      ("https://github.com/o/n/blob/main/a.png", "https://raw.githubusercontent.com/"),
      ("https://giphy.com/gifs/1", "https://i.giphy.com/ID.gif"),
      ("https://unsplash.com/photos/1", "https://images.unsplash.com/"),
      ("https://en.wikipedia.org/wiki/File:A.jpg", "https://upload.wikimedia.org/"),
      ("https://vm.tiktok.com/1", "a host of your own"),
    ])
  func page(url: String, remedy: String) throws {
    let entry = try #require(report(url).entries.first { $0.rule.code == "M726" })
    #expect(entry.message.contains(remedy))
  }

  @Test("a signature is valid until the second in which it expires")
  func expiry() {
    let now = LintFixture.now
    func url(_ end: Int64) -> String {
      "https://d1.cloudfront.net/a.jpg?Expires=\(end)&Signature=s&Key-Pair-Id=K"
    }
    #expect(codes(url(now)) == ["M727"])
    // A day later at the latest it is worth a note, where the message has no expiration.
    #expect(codes(url(now + 1)) == ["M728"] && codes(url(now + 86_399)) == ["M728"])
    #expect(codes(url(now + 86_400)) == [])
    #expect(codes(url(now), now: nil) == [] && codes(url(now + 1), now: nil) == [])
  }

  @Test("a signature that expires before the message is a note, except for a single attempt")
  func messageLifetime() {
    let end = LintFixture.now + 1000
    let url = "https://d1.cloudfront.net/a.jpg?Expires=\(end)&Signature=s&Key-Pair-Id=K"
    func expiring(_ time: Int64) -> LintHeaders { LintHeaders(expiration: String(time)) }
    #expect(codes(url, expiring(end + 1)) == ["M728"])
    #expect(codes(url, expiring(end)) == [] && codes(url, expiring(0)) == [])
  }

  @Test("a version 4 signature may last seven days")
  func duration() {
    func url(_ seconds: Int) -> String {
      "https://b.s3.amazonaws.com/a.jpg?X-Amz-Date=20261122T000000Z&X-Amz-Expires=\(seconds)"
    }
    #expect(codes(url(604_800)) == [] && codes(url(604_801)) == ["M727"])
    #expect(codes(url(604_801), now: nil) == ["M727"])
  }

  @Test(
    "the time of every signature is read",
    arguments: [
      ("https://s3.example/a?X-Amz-Date=20261122T000000Z&X-Amz-Expires=60", 1_795_305_660),
      ("https://s3.example/a?x-amz-date=20261122T000000Z&x-amz-expires=60", 1_795_305_660),
      ("https://gcs.example/a?X-Goog-Date=20261122T000000Z&X-Goog-Expires=60", 1_795_305_660),
      ("https://s3.example/a?AWSAccessKeyId=A&Expires=1795305660&Signature=s", 1_795_305_660),
      ("https://gcs.example/a?GoogleAccessId=A&Expires=1795305660&Signature=s", 1_795_305_660),
      ("https://blob.example/a?se=2026-11-22T00%3A01%3A00Z&sig=s", 1_795_305_660),
      ("https://blob.example/a?se=2026-11-22&sig=s", 1_795_305_600),
      ("https://cdn.discordapp.com/a.png?ex=6b0257bc&is=1&hm=s", 1_795_315_644),
      ("https://scontent.fbcdn.net/a.jpg?oh=s&oe=6b0257bc", 1_795_315_644),
      ("https://example.com/a?Expires=1795305660", nil),
      ("https://example.com/a?se=2026-11-22", nil),
      ("https://example.com/a?ex=6b0257bc&hm=s", nil),
      ("https://example.com/a?X-Amz-Date=2026&X-Amz-Expires=60", nil),
      ("https://example.com/a?X-Amz-Date=20261322T000000Z&X-Amz-Expires=60", nil),
      ("https://example.com/a?X-Amz-Date=20261122T000000Z&X-Amz-Expires=-60", nil),
      ("https://example.com/a?Expires=60&Signature=s", nil), ("https://example.com/a", nil),
    ] as [(String, Int64?)])
  func times(url: String, time: Int64?) throws {
    #expect(try #require(MediaURL(url)).expiration == time)
  }

  @Test("a movie needs a poster only where its dialect has a key for one")
  func poster() throws {
    let movie = "https://example.com/a.mp4"
    let aps = #""aps":{"alert":"A","mutable-content":1}"#
    let rows = [
      (#""_st":{"video_url":"\#(movie)"}"#, true), (#""video_url":"\#(movie)""#, true),
      (#""_martlet":{"media":[{"url":"\#(movie)"}]}"#, true), (#""_mediaUrl":"\#(movie)""#, true),
      (#""_p":1,"_sw":{"media":{"url":"\#(movie)"}}"#, true),
      (#""fcm_options":{"image":"\#(movie)"}"#, false), (#""adb_media":"\#(movie)""#, false),
      (#""ab":{"att":{"url":"\#(movie)","type":"mp4"}}"#, false),
      (#""itbl":{"messageId":"1","attachment-url":"\#(movie)"}"#, false),
      (#""custom":{"i":"1"},"att":{"a":"\#(movie)"}"#, false),
      (#""media-attachment":"\#(movie)""#, false), (#""LP_URL":"\#(movie)""#, false),
    ]
    for (members, fires) in rows {
      let report = LintReport("{\(aps),\(members)}")
      #expect(report.entries.contains { $0.rule.code == "M705" } == fires, "\(members)")
    }
  }

  @Test(
    "an object in a string is found where keys of Apple's or media are in it",
    arguments: [
      (#""data":"{\"image\":\"https://a.io/a.png\"}""#, true),
      (#""data":"{\"aps\":{\"badge\":1}}""#, true), (#""data":"{\"alert\":\"A\"}""#, true),
      (#""data":{"x":"{\"_st\":{\"image_url\":\"https://a.io/a\"}}"}"#, true),
      (#""data":"{\"order\":1}""#, false), (#""data":"{not json}""#, false),
      (#""data":"[1]""#, false), (#""data":"text""#, false),
      // CleverTap's and Emarsys' readers take a string.
      (#""pt_json":"{\"pt_big_img\":\"https://a.io/a.png\"}","pt_id":"pt_basic""#, false),
    ])
  func embedded(members: String, fires: Bool) {
    let report = LintReport(#"{"aps":{"alert":"A","mutable-content":1},\#(members)}"#)
    #expect(report.entries.contains { $0.rule.code == "M807" } == fires, "\(report.lines)")
  }
}
