import NotificationTemplates
import PushPayload
import Testing

@Suite("The manifest of a template's media")
struct MediaManifestTests {
  static let hash = String(repeating: "0a", count: 16)
  static let folder = String(repeating: "f9", count: 16)

  static let manifest = MediaManifest(
    template: hash, folder: folder,
    media: [
      .init(
        id: "coat",
        state: .ready(
          .init(
            name: "1.jpeg", type: .jpeg, bytes: 500_000, pixels: PixelSize(width: 960, height: 640))
        )),
      .init(id: "Füße/../x", state: .ready(.init(name: "12.mp4", type: .mpeg4, bytes: 1))),
      .init(id: "3", state: .missing(reason: "http-status")),
    ])

  /// The JSON of the manifest with a change.
  private static func bytes(_ change: (inout [String: JSONValue]) -> Void) -> [UInt8] {
    var members = manifest.json.object ?? [:]
    change(&members)
    return JSONValue.object(members).bytes
  }

  /// The state of a single medium with a change.
  private static func state(
    _ change: (inout [String: JSONValue]) -> Void
  ) throws -> MediaManifest.State? {
    var medium = manifest.json["media"]?.array?.first?.object ?? [:]
    change(&medium)
    let manifest = try MediaManifest(reading: bytes { $0["media"] = [.object(medium)] })
    return manifest.media.first?.state
  }

  @Test("is read as it was written")
  func roundTrip() throws {
    #expect(try MediaManifest(reading: Self.manifest.json.bytes) == Self.manifest)
  }

  @Test("has the form that is documented")
  func form() throws {
    let text = String(decoding: Self.manifest.json.bytes, as: UTF8.self)
    #expect(
      text.hasPrefix(
        #"{"folder":"\#(Self.folder)","media":[{"bytes":500000,"file":"1.jpeg","height":640,"id":"coat","#
          + #""state":"ready","type":"public.jpeg","width":960},"#))
    #expect(text.contains(#"{"id":"3","reason":"http-status","state":"missing"}"#))
    #expect(text.hasSuffix(#""template":"\#(Self.hash)","version":1}"#))
  }

  @Test(
    "a whole that cannot be used says why",
    arguments: [
      (nil, nil, "manifest-malformed"), ("version", nil, "manifest-version"),
      ("version", 2, "manifest-version"), ("version", "1", "manifest-version"),
      ("template", nil, "manifest-malformed"), ("template", "0A", "manifest-malformed"),
      ("folder", "../../../../../../../../../../etc", "manifest-malformed"),
      ("folder", "F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9F9", "manifest-malformed"),
      ("folder", "..f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9", "manifest-malformed"),
      ("folder", "f9f9f9f9f9f9f9f9f9f9f9f9f9f9f9f/", "manifest-malformed"),
      ("media", ["a": 1], "manifest-malformed"), ("media", nil, "manifest-malformed"),
    ] as [(String?, JSONValue?, String)])
  func unusable(key: String?, value: JSONValue?, code: String) {
    let bytes = key.map { key in Self.bytes { $0[key] = value } } ?? Array("{".utf8)
    let error = #expect(throws: ManifestError.self) { try MediaManifest(reading: bytes) }
    #expect(error?.code.rawValue == code)
  }

  @Test(
    "its size and the number of its media are limited",
    arguments: [(65_536, 32, true), (65_537, 32, false), (65_536, 33, false)])
  func limits(bytes: Int, media: Int, isRead: Bool) throws {
    let one: JSONValue = ["id": "1", "state": "missing", "reason": "timeout"]
    var json = Self.bytes { $0["media"] = .array(Array(repeating: one, count: media)) }
    json += [UInt8](repeating: UInt8(ascii: " "), count: bytes - json.count)
    #expect((try? MediaManifest(reading: json))?.media.count == (isRead ? media : nil))
  }

  @Test(
    "the name of a file is a number and the extension of its type, and leads nowhere else",
    arguments: [
      "../1.jpeg", "/etc/1.jpeg", "1.jpeg/..", "1.jpg", "1.png", "01.jpeg", "+1.jpeg", "-1.jpeg",
      "100.jpeg", "1.jpeg\0", ".jpeg", "1", "", "１.jpeg", "1..jpeg",
    ])
  func names(name: String) throws {
    let state = try Self.state { $0["file"] = .string(name) }
    #expect(state == .missing(reason: "manifest-malformed"))
  }

  @Test("the largest number of a file is 99", arguments: [("99", true), ("100", false)])
  func number(number: String, isRead: Bool) throws {
    let state = try Self.state { $0["file"] = .string("\(number).jpeg") }
    #expect((state == .missing(reason: "manifest-malformed")) == !isRead)
  }

  @Test(
    "a medium without what it needs is missing, and no other is",
    arguments: [
      ("file", 5), ("type", "public.html"), ("type", "public.aac-audio"), ("type", nil),
      ("bytes", 0), ("bytes", -1), ("bytes", 1.5), ("bytes", nil),
    ] as [(String, JSONValue?)])
  func incomplete(key: String, value: JSONValue?) throws {
    let state = try Self.state { $0[key] = value }
    #expect(state == .missing(reason: "manifest-malformed"))
  }

  @Test(
    "a side of a picture has from 1 to 65535 pixels",
    arguments: [(1, true), (65_535, true), (0, false), (65_536, false), (-1, false)])
  func sides(pixels: Int64, isRead: Bool) throws {
    for side in ["width", "height"] {
      guard case .ready(let file)? = try Self.state({ $0[side] = .integer(pixels) }) else {
        Issue.record("the file is ready")
        return
      }
      #expect((file.pixels != nil) == isRead)
    }
  }

  @Test(
    "a reason is a code of at most 64 bytes",
    arguments: [
      (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
      ("", false), ("Not a code", false), ("sha256-mismatch", true),
    ])
  func reasons(reason: String, isKept: Bool) throws {
    let state = try Self.state {
      $0["state"] = "missing"
      $0["reason"] = .string(reason)
    }
    #expect(state == .missing(reason: isKept ? reason : "manifest-malformed"))
  }

  @Test("a medium without an identifier is left out")
  func noIdentifier() throws {
    let state = try Self.state { $0["id"] = nil }
    #expect(state == nil)
  }

  @Test("the hash depends on the media's identifiers, URLs and order, and on no text")
  func hashes() throws {
    func hash(_ pages: [JSONValue], title: String = "T") throws -> String {
      let payload: JSONValue = [
        "aps": ["category": "x"],
        "_martlet": [
          "template": [
            "kind": "carousel", "pages": .array(pages), "texts": ["title": .string(title)],
          ]
        ],
      ]
      let template = TemplateTable.standard.read(payload, delivered: 0).template
      return MediaManifest.hash(of: try #require(template))
    }
    let (a, b): (JSONValue, JSONValue) = (["media": ["url": "a"]], ["media": ["url": "b"]])
    let all = try [
      hash([a, b]), hash([b, a]), hash([a, b, b]),
      hash([a, ["media": ["url": "b", "alternative_url": "c"]]]),
      hash([a, ["media": ["url": "b", "id": "c"]]]),
    ]
    #expect(Set(all).count == all.count)
    #expect(try hash([a, b], title: "Other") == all[0])
    #expect(all.allSatisfy { MediaManifest.isName($0) })
  }

  @Test("a manifest is found by the request's identifier, then by the message's")
  func found() {
    let both = MediaManifest.names(request: "a/../b", message: "m")
    #expect(both.count == 2 && both.allSatisfy { MediaManifest.isName($0) })
    #expect(MediaManifest.names(request: "", message: "m") == [both[1]])
    #expect(MediaManifest.names(request: "a/../b", message: nil) == [both[0]])
    #expect(MediaManifest.names(request: "", message: "") == [])
    #expect(MediaManifest.names(request: "m", message: nil) != [both[1]], "they are told apart")
    #expect(
      MediaManifest.path(ofName: both[0]) == "Library/Caches/Martlet/Templates/\(both[0]).json")
  }

  @Test(
    "a name has 32 lower-case hexadecimal digits",
    arguments: [
      (hash, true), (String(hash.dropLast()), false), (hash + "0", false), ("", false),
      (hash.uppercased(), false), (String(hash.dropLast()) + "/", false),
    ])
  func isName(text: String, isName: Bool) {
    #expect(MediaManifest.isName(text) == isName)
  }
}
