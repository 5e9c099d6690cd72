import NotificationTemplates
import PushPayload
import Testing

@Suite("A template with the media that are prepared")
struct PreparedTemplateTests {
  /// The files of an app group's container in memory.
  struct Files: TemplateFiles {
    var contents: [String: [UInt8]] = [:]
    var sizes: [String: Int64] = [:]

    func bytes(of path: String, atMost limit: Int) -> [UInt8]? {
      contents[path].flatMap { $0.count <= limit ? $0 : nil }
    }

    func size(of path: String) -> Int64? { sizes[path] }
  }

  static let folder = String(repeating: "b", count: 32)

  static func template(_ kind: String = "carousel", pages: Int = 3) throws -> NotificationTemplate {
    let pages: [JSONValue] = (1...pages).map {
      ["title": .string("Page \($0)"), "media": ["url": .string("https://a/\($0)")]]
    }
    let payload: JSONValue = [
      "aps": ["category": "x"],
      "_martlet": ["template": ["kind": .string(kind), "pages": .array(pages)]],
    ]
    return try #require(TemplateTable.standard.read(payload, delivered: 0).template)
  }

  /// The container after the engine has prepared a template; the media of `missing` are not.
  static func files(
    of template: NotificationTemplate, missing: Set<String> = [],
    names: [String] = MediaManifest.names(request: "r", message: nil)
  ) -> Files {
    var files = Files()
    var media: [MediaManifest.Medium] = []
    for (index, medium) in template.media.enumerated() {
      guard !missing.contains(medium.id) else {
        media.append(.init(id: medium.id, state: .missing(reason: "timeout")))
        continue
      }
      let file = MediaManifest.File(
        name: "\(index + 1).png", type: .png, bytes: 100,
        pixels: PixelSize(width: 300, height: 200))
      media.append(.init(id: medium.id, state: .ready(file)))
      files.sizes["\(MediaManifest.root)/\(folder)/\(file.name)"] = 100
    }
    let manifest = MediaManifest(
      template: MediaManifest.hash(of: template), folder: folder, media: media)
    for name in names { files.contents[MediaManifest.path(ofName: name)] = manifest.json.bytes }
    return files
  }

  @Test("is whole where all are ready, with the file and the size of each")
  func whole() throws {
    let template = try Self.template()
    let prepared = PreparedTemplate(template, request: "r", in: Self.files(of: template))
    #expect(prepared.template == template)
    #expect(
      prepared.files
        == Dictionary(
          uniqueKeysWithValues: (1...3).map {
            ("\($0)", "Library/Caches/Martlet/Templates/\(Self.folder)/\($0).png")
          }))
    #expect(
      prepared.pictureSizes.values.map { $0 }
        == Array(repeating: TemplateSize(width: 300, height: 200), count: 3))
    #expect(prepared.missing.isEmpty)
  }

  @Test(
    "loses the pages that are missing, in order, and says which and why",
    arguments: [
      ("carousel", 3, ["2"], "carousel", ["1", "3"]), ("carousel", 3, ["1", "2"], "banner", []),
      ("carousel", 2, ["1", "2"], "text", []), ("catalog", 2, ["1"], "banner", []),
      ("icons", 4, ["2"], "icons", ["1", "3", "4"]), ("icons", 3, ["3"], "text", []),
    ] as [(String, Int, Set<String>, String, [String])])
  func missing(
    kind: String, pages: Int, missing: Set<String>, shown: String, left: [String]
  ) throws {
    let template = try Self.template(kind, pages: pages)
    let prepared = PreparedTemplate(
      template, request: "r", in: Self.files(of: template, missing: missing))
    #expect(prepared.template.kind.rawValue == shown)
    #expect(prepared.template.pages.map(\.media.id) == left)
    #expect(prepared.missing.map(\.id) == missing.sorted())
    #expect(prepared.missing.allSatisfy { $0.reason == "timeout" })
    #expect(prepared.files.count == pages - missing.count)
  }

  @Test("without a manifest it is text, and nothing is prepared")
  func none() throws {
    let template = try Self.template()
    let prepared = PreparedTemplate(template, request: "r", in: Files())
    #expect(prepared.template.kind == .text)
    #expect(prepared.missing.map(\.reason) == Array(repeating: "not-prepared", count: 3))
  }

  @Test(
    "the manifest of an earlier notification with the same identifier is not used",
    arguments: [("r", 2), ("r", 4)])
  func replaced(request: String, pages: Int) throws {
    let earlier = Self.files(of: try Self.template(pages: pages))
    let prepared = PreparedTemplate(try Self.template(), request: request, in: earlier)
    #expect(prepared.files.isEmpty)
    #expect(prepared.missing.map(\.reason) == Array(repeating: "other-template", count: 3))
  }

  @Test("a manifest that cannot be read costs its media alone")
  func malformed() throws {
    let template = try Self.template()
    var files = Self.files(of: template)
    for path in files.contents.keys { files.contents[path] = Array("{}".utf8) }
    let prepared = PreparedTemplate(template, request: "r", in: files)
    #expect(prepared.template.kind == .text)
    #expect(prepared.missing.first?.reason == "manifest-version")
    for path in files.contents.keys {
      files.contents[path] = [UInt8](repeating: 32, count: MediaManifest.maximumBytes + 1)
    }
    let large = PreparedTemplate(template, request: "r", in: files)
    #expect(large.missing.first?.reason == "not-prepared")
  }

  @Test("a file that is gone, or has another size, is missing", arguments: [nil, 99, 101])
  func gone(size: Int64?) throws {
    let template = try Self.template()
    var files = Self.files(of: template)
    files.sizes["\(MediaManifest.root)/\(Self.folder)/2.png"] = size
    let prepared = PreparedTemplate(template, request: "r", in: files)
    #expect(prepared.missing == [.init(id: "2", reason: "file-missing")])
    #expect(prepared.template.pages.map(\.media.id) == ["1", "3"])
  }

  @Test("it is found by the message's identifier where the request has none, or another one")
  func message() throws {
    let template = try Self.template()
    let files = Self.files(
      of: template, names: MediaManifest.names(request: "", message: "m"))
    for request in ["", "other"] {
      let prepared = PreparedTemplate(template, request: request, message: "m", in: files)
      #expect(prepared.missing.isEmpty)
    }
    #expect(PreparedTemplate(template, request: "m", in: files).missing.count == 3)
  }

  @Test("a template without media needs no manifest")
  func noMedia() throws {
    let payload: JSONValue = [
      "aps": ["category": "x"], "_martlet": ["template": ["kind": "text"]],
    ]
    let template = try #require(TemplateTable.standard.read(payload, delivered: 0).template)
    let prepared = PreparedTemplate(template, request: "r", in: Files())
    #expect(prepared.template == template && prepared.missing.isEmpty)
  }

  @Test("without an app group the attachments with the media's identifiers are ready")
  func attachments() throws {
    let template = try Self.template()
    let prepared = PreparedTemplate(template, attachments: ["3", "x", "1"], requested: [])
    #expect(prepared.template.pages.map(\.media.id) == ["1", "3"])
    #expect(prepared.files == ["1": "1", "3": "3"])
    #expect(prepared.missing == [.init(id: "2", reason: "not-attached")])
  }

  @Test("an attachment has the identifier of the payload, or that of the first page with its URL")
  func attachmentNames() throws {
    var template = try Self.template()
    guard case .carousel(var carousel) = template.content else { return }
    carousel.pages[2].media.url = "https://a/1"
    template.content = .carousel(carousel)
    var requested = RichMedia(MediaReference(url: "https://a/2", path: "m"))
    requested.identifier = "x"
    let prepared = PreparedTemplate(template, attachments: ["x", "1"], requested: [requested])
    #expect(prepared.files == ["1": "1", "2": "x", "3": "1"])
    #expect(prepared.missing.isEmpty)
  }

  @Test("identifiers that a payload repeats are told apart")
  func repeated() throws {
    let pages: [JSONValue] = [
      ["media": ["url": "a"]], ["media": ["url": "b", "id": "1"]],
      ["media": ["url": "c", "id": "1"]], ["media": ["url": "d"]],
    ]
    let payload: JSONValue = [
      "aps": ["category": "x"],
      "_martlet": ["template": ["kind": "carousel", "pages": .array(pages)]],
    ]
    let template = try #require(TemplateTable.standard.read(payload, delivered: 0).template)
    #expect(template.media.map(\.id) == ["1", "1-2", "1-3", "4"])
  }
}
