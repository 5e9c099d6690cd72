import NotificationCards
import Foundation
import NotificationTemplates
import PushPayload
import Synchronization
import TestSupport
import Testing
import _Card
import _Confinement
import _Spawn

@testable import PhoneCards

@Suite("Cards drawn in a process of their own", .timeLimit(.minutes(10)))
struct CardProcessTests {
  private let folder = TemporaryFolder()
  private static let style = CardStyle(scale: 1)
  /// A picture with as many scans as are decoded: several take more time than a card may, on a fast machine too.
  private static let slowJPEG = progressiveJPEG(width: 8000, height: 8000, scans: 50)

  private final class Log: Sendable {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock(\.self) }
    func add(_ line: String) { state.withLock { $0.append(line) } }
  }

  private func process(_ log: Log = Log(), maximumWaiting: Int = 32) -> CardProcess {
    CardProcess(reading: [folder.path("media")], maximumWaiting: maximumWaiting) { log.add($0) }
  }

  /// A card with pictures, written to the folder that the process may read.
  private func card(_ pictures: [UInt8]...) throws -> NotificationCard {
    try card(pictures, in: "media")
  }

  private func card(_ pictures: [[UInt8]], in name: String) throws -> NotificationCard {
    var card = NotificationCard(appName: "App", title: "Title", body: "Body")
    try FileManager.default.createDirectory(
      at: folder.file(name), withIntermediateDirectories: true)
    for (index, bytes) in pictures.enumerated() {
      let file = folder.file("\(name)/\(index)")
      try Data(bytes).write(to: file)
      card.attachments.append(.init(path: file.path(percentEncoded: false), kind: .image))
    }
    return card
  }

  private func withoutPictures(_ card: NotificationCard) -> NotificationCard {
    var card = card
    for index in card.attachments.indices { card.attachments[index].path = "" }
    return card
  }

  private func picture(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes("media/\(name)")
  }

  @Test("have the bytes of cards drawn in this process, as PNG and as JPEG")
  func same() async throws {
    let card = try card(picture("photo.jpg"), picture("picture.png"))
    let (process, renderer) = (process(), CardRenderer(Self.style))
    let views: [NotificationCard.View] = [.banner, .collapsed, .expanded, .stacked(on: 2)]
    #expect(try await process.png(card, views, style: Self.style) == renderer.png(card, views))
    #expect(try await process.jpeg(card, views, style: Self.style) == renderer.jpeg(card, views))
    #expect(try renderer.png(card) != renderer.png(withoutPictures(card)))
  }

  @Test(
    "a program that draws is found beside another or in PATH, and otherwise a martlet is",
    arguments: [
      ([], nil), (["bin/martlet"], ["bin/martlet", CardOrder.command]),
      (["bin/martlet", "libexec/martlet/martlet-card"], ["libexec/martlet/martlet-card"]),
      (["bin/martlet", "bin/martlet-card"], ["bin/martlet-card"]),
      (["bin/martlet/file", "bin2/martlet-card"], ["bin2/martlet-card"]),
    ] as [([String], [String]?)])
  func foundProgram(files: [String], line: [String]?) throws {
    for name in files {
      let file = folder.file(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    let found = CardProcess.found(in: [folder.file("bin"), folder.file("bin2")])
    let expected = line.map { [folder.path($0[0])] + $0.dropFirst() }
    #expect(found == expected)
  }

  @Test(
    "every program that draws draws the same, and the one that cannot says what to install",
    arguments: [
      (["martlet-card"], true), (["martlet", CardOrder.command], true),
      (["martlet-packaged", CardOrder.command], false),
    ])
  func builtPrograms(line: [String], draws: Bool) async throws {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    let program = [folder.appending(path: line[0]).path()] + line.dropFirst()
    let card = try card(picture("photo.jpg"))
    let process = CardProcess(program: program, reading: [self.folder.path("media")])
    let drawn = try? await process.png(card, [.expanded], style: Self.style)
    #expect(try drawn == (draws ? CardRenderer(Self.style).png(card, [.expanded]) : nil))
  }

  /// A card with a carousel of pictures in the folder that the process may read.
  private func carousel(_ pictures: [UInt8]...) throws -> NotificationCard {
    var card = try card(pictures, in: "media")
    let files = card.attachments.map(\.path)
    card.attachments = []
    let pages = files.indices.map { ["media": ["id": .string("\($0)"), "url": "u"]] as JSONValue }
    let payload: JSONValue = [
      "aps": ["alert": "Text", "category": "x"],
      "_martlet": ["template": ["kind": "carousel", "pages": .array(pages)]],
    ]
    let template = try #require(TemplateTable.standard.read(payload, delivered: 0).template)
    card.template = ExpandedTemplate(
      template,
      files: Dictionary(uniqueKeysWithValues: files.enumerated().map { ("\($0)", $1) }), now: 0)
    return card
  }

  @Test("a template has the bytes of one drawn in this process")
  func template() async throws {
    let card = try carousel(picture("photo.jpg"), picture("picture.png"))
    let (process, renderer) = (process(), CardRenderer(Self.style))
    for view in [NotificationCard.View.expanded, .expandedInColumn] {
      #expect(try await process.png(card, [view], style: Self.style) == renderer.png(card, [view]))
    }
    var empty = card
    empty.template?.files = ["0": "", "1": ""]
    #expect(try renderer.png(card) != renderer.png(empty))
  }

  @Test("a template's picture that takes too long is an empty place")
  func slowPage() async throws {
    let slow = Self.slowJPEG
    let card = try carousel(slow, slow, slow, slow, slow, slow)
    let log = Log()
    var empty = card
    empty.template?.files = card.template?.files.mapValues { _ in "" } ?? [:]
    let views: [NotificationCard.View] = [.expanded, .expandedInColumn]
    let expected = try CardRenderer(Self.style).png(empty, views)
    #expect(try await process(log).png(card, views, style: Self.style) == expected)
    #expect(log.lines.count == 1, "\(log.lines)")
  }

  @Test("a template's view has the height of one that is measured in this process")
  func height() async throws {
    let card = try carousel(picture("photo.jpg"), picture("picture.png"))
    let template = try #require(card.template)
    var empty = template
    empty.files = [:]
    let process = process()
    #expect(try await process.height(of: template) == template.layout().size.height)
    #expect(try await process.height(of: empty) == empty.layout().size.height)
    #expect(template.layout().size.height != empty.layout().size.height)
  }

  @Test("a damaged picture is told from a whole one")
  func damage() async throws {
    let whole = try picture("photo.jpg")
    let card = try card(whole, Array(whole.prefix(100)))
    let process = process()
    var found: [Bool] = []
    for picture in card.attachments.prefix(2) {
      found.append(try await process.isDamaged(picture: picture.path))
    }
    #expect(found == [false, true])
  }

  @Test("an order and an answer are read as they were written, and other bytes are none")
  func frames() throws {
    let order = CardOrder.isDamaged(path: "/tmp/\u{1F4F7}")
    guard case .isDamaged(let path)? = try CardOrder(#require(order.bytes)) else {
      Issue.record("not the order")
      return
    }
    #expect(path == "/tmp/\u{1F4F7}")
    guard case .picture(let picture)? = CardAnswer(CardAnswer.picture([1, 2]).bytes),
      case .height(let height)? = CardAnswer(CardAnswer.height(2.5).bytes)
    else {
      Issue.record("not the answers")
      return
    }
    #expect(picture == [1, 2] && height == 2.5)
    for bytes: [UInt8] in [[], [2], [1], [1, 0x7B]] {
      if CardAnswer(bytes) != nil { Issue.record("\(bytes) is read as an answer") }
    }
    if CardOrder(Array("{}".utf8)) != nil { Issue.record("{} is read as an order") }
  }

  @Test("an error of drawing comes back as it is")
  func errors() async throws {
    let process = process()
    let card = try card()
    let error = await #expect(throws: CardError.self) {
      try await process.png(card, [.collapsed], style: CardStyle(scale: 9))
    }
    #expect(error?.code == .styleUnusable)
    #expect(try await !process.png(card, [.collapsed], style: Self.style).isEmpty)
  }

  @Test("a picture that takes too long ends the process, and is an empty tile from then on")
  func processorTime() async throws {
    let slow = Self.slowJPEG
    let hostile = try card(slow, slow, slow, slow, slow, slow, slow, slow)
    let log = Log()
    let process = process(log)
    let empty = try CardRenderer(Self.style).png(withoutPictures(hostile))
    let views: [NotificationCard.View] = [.collapsed, .expanded]
    #expect(try await process.png(hostile, views, style: Self.style) == empty)
    #expect(log.lines.count == 1)
    let limit = "more than \(CardOrder.processorSeconds) s"
    #expect(log.lines.first?.contains(limit) == true, "\(log.lines)")
    #expect(try await process.png(hostile, views, style: Self.style) == empty)
    #expect(log.lines.count == 1, "a picture that was refused is not tried again")
  }

  @Test("a picture that needs more memory than the process may have is an empty tile")
  func memory() async throws {
    let hostile = try card(progressiveColorJPEG())
    let log = Log()
    let process = process(log)
    let views: [NotificationCard.View] = [.collapsed]
    let empty = try CardRenderer(Self.style).png(withoutPictures(hostile), views)
    #expect(try await process.png(hostile, views, style: Self.style) == empty)
    // The next card is drawn, whether the decoder gave up or the process ended.
    let photo = try card([picture("photo.jpg")], in: "media/other")
    let drawn = try CardRenderer(Self.style).png(photo, views)
    #expect(try await process.png(photo, views, style: Self.style) == drawn)
  }

  /// A JPEG of 64 million pixels in three colors, whose coefficients alone take 384 MB.
  private func progressiveColorJPEG() -> [UInt8] {
    var bytes = progressiveJPEG(width: 8000, height: 8000, scans: 1)
    guard let frame = bytes.firstRange(of: [0xFF, 0xC2])?.lowerBound else { return bytes }
    let components: [UInt8] = [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
    bytes.replaceSubrange(frame + 9..<frame + 13, with: components)
    bytes[frame + 3] = 17
    return bytes
  }

  @Test("files outside of the folders cannot be read", .enabled(if: Confinement.limitsFiles))
  func files() async throws {
    let outside = try card([picture("photo.jpg")], in: "elsewhere")
    let drawn = try await process().png(outside, [.expanded], style: Self.style)
    let empty = try CardRenderer(Self.style).png(withoutPictures(outside), [.expanded])
    #expect(drawn == empty)
  }

  @Test("a program that does not draw is an error, and so is one that is not there")
  func programs() async throws {
    for program in ["/bin/true", "/nonexistent"] {
      let process = CardProcess(program: [program], reading: [])
      let error = await #expect(throws: CardError.self) {
        try await process.png(try card(), [.collapsed], style: Self.style)
      }
      #expect(error?.code == .processFailed)
    }
  }

  @Test("as many cards as the limit may wait, and not one more")
  func waiting() async throws {
    let card = try card()
    let one = process(maximumWaiting: 1)
    for _ in 0..<2 { _ = try await one.png(card, [.collapsed], style: Self.style) }
    let error = await #expect(throws: CardError.self) {
      try await process(maximumWaiting: 0).png(card, [.collapsed], style: Self.style)
    }
    #expect(error?.code == .busy)
  }

  @Test("a process inherits the variables that are named, and no other")
  func variables() throws {
    let script = #"printf '\011\000\000\000%s-%s' "${HOME:+home}" "${PATH:+path}" >&3"#
    for (names, reply) in [(["HOME", "PATH"], "home-path"), (["PATH"], "-path"), ([], "-")] {
      let padded = script.replacing(#"\011"#, with: String(reply.utf8.count, radix: 8).octal)
      let child = try ConnectedProcess("/bin/sh", ["-c", padded], inheriting: Set(names))
      #expect(child.channel.receive().map { String(decoding: $0, as: UTF8.self) } == reply)
      #expect(child.wait() == .exited(code: 0))
    }
  }
}

extension String {
  /// The octal escape of a shell for a byte whose value the text has in octal digits.
  fileprivate var octal: String { #"\"# + String(repeating: "0", count: 3 - count) + self }
}
