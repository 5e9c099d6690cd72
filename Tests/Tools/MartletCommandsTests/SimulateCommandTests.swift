import Foundation
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("martlet simulate", .timeLimit(.minutes(10)))
struct SimulateCommandTests {
  static let push =
    #"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"_st":{"image_url":"https://a/i=1"}}"#
  static let media = "https://a/i=1=" + Fixtures.url("media/picture.png").path()

  @Test("prints one JSON object a payload, with every key of the contract")
  func json() async throws {
    let console = RecordingConsole(input: Self.push)
    #expect(await console.run("simulate", "--json", "--media", Self.media, "-") == .success)
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(console.output.count == 1 && console.errors.isEmpty)
    #expect(
      object.object?.keys.sorted() == [
        "actions", "activity", "attachments", "content", "decryption", "dialect", "encrypted",
        "extension",
        "media", "outcome", "payload", "reason", "template", "trace",
      ])
    #expect(
      object["dialect"] == "sailthru" && object["outcome"] == "displayed"
        && object["payload"] == "-")
    #expect(object["extension"]?["handlerCalls"] == 1)
    #expect(object["content"]?["title"] == "T")
    let attachment = try #require(object["attachments"]?.array?.first)
    #expect(
      attachment["url"] == "https://a/i=1" && attachment["type"] == "public.png"
        && attachment["bytes"] == 118648)
    #expect(attachment["sha256"]?.string?.count == 64)
    #expect(
      object["media"] == [
        [
          "url": "https://a/i=1", "result": "attached", "reason": .null, "status": 200,
          "bytes": 118648,
        ]
      ])
  }

  @Test(
    "a Live Activity is one with its places, and not a notification",
    arguments: [("start", true), ("begin", false)])
  func activity(event: String, isShown: Bool) async throws {
    let console = RecordingConsole(
      input: """
        {"aps": {"timestamp": 1798135200, "event": "\(event)", "attributes-type": "Order",
         "attributes": {}, "content-state": {"status": "cooking"}, "alert": {"title": "Order"}}}
        """)
    let line = ["simulate", "--json", "--push-type", "liveactivity", "-"]
    let code = await runMartlet(line, console.console)
    #expect(code == (isShown ? .success : .failure))
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(
      object["outcome"] == (isShown ? "not-displayed" : "dropped") && object["content"] == .null)
    #expect(
      object["activity"]
        == (isShown
          ? [
            "event": "start", "attributesType": "Order", "contentState": ["status": "cooking"],
            "places": ["lock-screen", "dynamic-island", "smart-stack", "carplay", "menu-bar"],
          ] : .null))
  }

  @Test("attached files are removed, or kept with --keep and beside a card")
  func keptFiles() async throws {
    let folder = TemporaryFolder()
    let push = try folder.write(Self.push, to: "push.json")
    let console = RecordingConsole()
    #expect(await console.run("simulate", "--json", "--media", Self.media, push) == .success)
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(object["attachments"]?.array?.first?["path"] == .null)
    for (arguments, name) in [
      (["--keep", folder.path("kept")], "kept/1.png"),
      (["--render", folder.path("card.png")], "card-media/1.png"),
      (["--keep", folder.path("two"), push], "two/2-1.png"),
    ] {
      let console = RecordingConsole()
      let command = ["simulate", "--json", "--media", Self.media, push] + arguments
      #expect(await runMartlet(command, console.console) == .success)
      let last = try JSONValue(parsing: try #require(console.output.last))
      let path = try #require(last["attachments"]?.array?.first?["path"]?.string)
      #expect(path == folder.path(name))
      #expect(try Data(contentsOf: URL(filePath: path)).count == 118648)
    }
  }

  @Test("nothing is left in the temporary folder", arguments: [[], ["--memory-limit", "24MiB"]])
  func leftovers(options: [String]) async throws {
    let (folder, temporary) = (TemporaryFolder(), TemporaryFolder())
    let push = try folder.write(Self.push, to: "push.json")
    let martlet = BuiltProgram.martlet
    let command = ["TMPDIR=\(temporary.url.path())", martlet, "simulate", "--media", Self.media]
    let (code, _) = await runProgram("/usr/bin/env", command + options + [push])
    #expect(code == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: temporary.url.path())
    #expect(left == [])
  }

  @Test("a folder for attached files that cannot be written is refused with a cure")
  func unwritableFolder() async throws {
    let folder = TemporaryFolder()
    let file = try folder.write("", to: "file")
    let console = RecordingConsole(input: Self.push)
    let code = await console.run("simulate", "--media", Self.media, "--keep", file, "-")
    #expect(code == .invalidInput)
    #expect(console.errors.joined().contains("cannot keep attached files in \(file): is it"))
  }

  @Test("media that no dialect reads give a hint and the exit code 1")
  func unreadMedia() async throws {
    let push =
      #"{"aps":{"alert":"B","mutable-content":1},"teaser":{"hero":"https://cdn.example.com/a.jpg"}}"#
    let console = RecordingConsole(input: push)
    #expect(await console.run("simulate", "-") == .failure)
    #expect(console.output.joined().contains("hint: $.teaser.hero"))
    let own = RecordingConsole(input: push)
    let media = "https://cdn.example.com/a.jpg=" + Fixtures.url("media/picture.png").path()
    let key = ["simulate", "--media", media, "--media-key", "teaser.hero", "-"]
    #expect(await runMartlet(key, own.console) == .success)
  }

  @Test("a picture whose pixels are damaged is named, and the exit code is 1")
  func damagedPicture() async throws {
    let folder = TemporaryFolder()
    var bytes = try Fixtures.bytes("media/picture.png")
    // The structure stays whole; only compressed pixels change.
    for index in 2000..<4000 { bytes[index] ^= 0xFF }
    let file = try folder.write(bytes, to: "damaged.png")
    let console = RecordingConsole(input: Self.push)
    let media = "https://a/i=1=\(file.path())"
    #expect(await console.run("simulate", "--media", media, "-") == .failure)
    #expect(console.output.joined().contains("attachment 1 is damaged and cannot be decoded"))
  }

  @Test("a media key is keys joined by dots", arguments: ["", ".", "a.", ".a", "a..b"])
  func mediaKey(key: String) async {
    let console = RecordingConsole(input: Self.push)
    #expect(await console.run("simulate", "--media-key", key, "-") == .invalidInput)
    #expect(console.errors.joined().contains("--media-key takes keys joined by dots"))
  }

  @Test(
    "a memory limit runs the extension in a process of its own",
    arguments: [("24MiB", "displayed"), ("4096", "displayed-original")])
  func memoryLimit(size: String, outcome: String) async throws {
    let folder = TemporaryFolder()
    let file = try folder.write(Self.push, to: "push.json")
    let martlet = BuiltProgram.martlet
    let (_, output) = await runProgram(
      martlet,
      ["simulate", "--json", "--memory-limit", size, "--media", Self.media, file])
    let object = try JSONValue(parsing: output)
    #expect(object["outcome"]?.string == outcome)
    let run = try #require(object["extension"]?.object)
    #expect(
      Set(run.keys) == ["ran", "handlerCalls", "expired", "elapsedSeconds", "peakMemoryBytes"])
    #expect(run["ran"] == true && run["expired"] == false)
    #expect(run["handlerCalls"] == (outcome == "displayed" ? 1 : 0))
    #expect((run["elapsedSeconds"]?.number ?? 30) < 30)
    #expect((run["peakMemoryBytes"]?.integer ?? 0) > 4096)
    let rules = (object["trace"]?.array ?? []).compactMap { $0["rule"]?.string }
    #expect(rules.contains("memory-limit") == (outcome == "displayed-original"))
  }

  @Test(
    "without a memory limit the extension has no process of its own, and its memory is not known")
  func noMemoryLimit() async throws {
    let console = RecordingConsole(input: Self.push)
    _ = await console.run("simulate", "--json", "-")
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(object["extension"]?["peakMemoryBytes"] == .null)
  }

  @Test(
    "exit 1 where less is shown than was asked for",
    arguments: [
      (push, "failed", "offline"),
      (
        push.replacing("\"mutable-content\":1", with: "\"badge\":1"), "skipped", "extension-not-run"
      ),
    ])
  func less(payload: String, result: String, reason: String) async throws {
    let console = RecordingConsole(input: payload)
    #expect(await console.run("simulate", "--json", "-") == .failure)
    let media = try JSONValue(parsing: try #require(console.output.first))["media"]?.array?.first
    #expect(media?["result"]?.string == result && media?["reason"]?.string == reason)
  }

  @Test(
    "with the filtering entitlement the extension sees pushes without text, and suppresses",
    arguments: [true, false])
  func filtering(isOn: Bool) async throws {
    let console = RecordingConsole(input: #"{"aps":{"badge":1,"mutable-content":1}}"#)
    let code =
      isOn
      ? await console.run("simulate", "--json", "--filtering", "-")
      : await console.run("simulate", "--json", "-")
    #expect(code == .failure)
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(object["extension"]?["ran"] == .bool(isOn))
    #expect(object["outcome"] == (isOn ? "suppressed" : "not-displayed"))
  }

  @Test(
    "a payload that never reaches a phone is dropped, with the reason",
    arguments: [
      ("{", "not JSON"), ("{}\n]", "not JSON: line 2, column 1: "),
      (#"{"aps":{"alert":"x",}}"#, "not JSON: line 1, column 21: "),
      (String(repeating: "[", count: 100_000), "not JSON"),
      ("{}", "aps has no text, badge, sound or content-available"),
      (
        #"{"aps":{"alert":""# + String(repeating: "x", count: 4096) + "\"}}",
        "APNs takes at most 4096"
      ),
    ])
  func dropped(payload: String, reason: String) async throws {
    let console = RecordingConsole(input: payload)
    let isJSON = !reason.hasPrefix("not JSON")
    #expect(
      await console.run("simulate", "--json", "-") == (isJSON ? .failure : .invalidInput))
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(object["outcome"] == "dropped")
    #expect(object["reason"]?.string?.contains(reason) == true)
  }

  @Test("4096 bytes arrive")
  func limit() async throws {
    let frame = #"{"aps":{"alert":""}}"#
    let payload = frame.replacing(
      "\"\"", with: "\"" + String(repeating: "x", count: 4096 - frame.utf8.count) + "\"")
    #expect(payload.utf8.count == 4096)
    #expect(await RecordingConsole(input: payload).run("simulate", "-") == .success)
  }

  @Test("a file that cannot be read is exit 2 and one line that names it")
  func refused() async {
    let console = RecordingConsole()
    #expect(await console.run("simulate", "/no/such.json") == .invalidInput)
    #expect(
      console.errors == ["martlet simulate: cannot read /no/such.json: is it there, and readable?"])
  }

  @Test("a payload that cannot be read does not keep the others from being tried")
  func goesOn() async {
    let console = RecordingConsole(input: Self.push)
    let code = await console.run(
      "simulate", "--json", "/no/such.json", "--media", Self.media, "-")
    #expect(code == .invalidInput)
    #expect(console.errors.count == 1 && console.output.count == 1)
  }

  @Test(
    "a value that can mean nothing is a wrong command line",
    arguments: [
      ("--time-limit", "0"), ("--memory-limit", "0B"), ("--render", "card.jpg"), ("--render", ""),
    ])
  func meaningless(option: String, value: String) async {
    let console = RecordingConsole(input: Self.push)
    #expect(await console.run("simulate", option, value, "-") == .invalidInput)
    #expect(console.errors.first?.contains(option) == true)
  }

  @Test("a file of certificates without one is refused before anything is fetched")
  func noCertificate() async throws {
    let folder = TemporaryFolder()
    let file = try folder.write("hello", to: "ca.pem")
    let console = RecordingConsole(input: Self.push)
    #expect(await console.run("simulate", "--online", "--media-ca", file, "-") == .invalidInput)
    #expect(
      console.errors == ["martlet simulate: --media-ca: \(file) holds no certificate in PEM form"])
  }

  @Test("a folder without a payload is exit 2", arguments: ["simulate", "lint"])
  func emptyFolder(command: String) async {
    let folder = TemporaryFolder()
    let console = RecordingConsole()
    #expect(await console.run(command, folder.path("")) == .invalidInput)
    #expect(console.errors.count == 1)
    #expect(
      console.errors.first?.hasSuffix("is a folder without any of *.apns, *.json") == true)
  }

  @Test("a payload file of 16 MiB is read, one byte more is not", arguments: [0, 1])
  func fileLimit(more: Int) async throws {
    let folder = TemporaryFolder()
    let text = String(repeating: " ", count: (16 << 20) + more)
    let console = RecordingConsole()
    #expect(await console.run("simulate", try folder.write(text, to: "a.json")) == .invalidInput)
    #expect(console.errors.isEmpty == (more == 0))
    #expect(console.errors.allSatisfy { $0.hasSuffix("more than 16 MiB; a payload has 4 KiB") })
  }

  @Test("a card is drawn through a link, which stays one")
  func throughLink() async throws {
    let folder = TemporaryFolder()
    let card = try folder.write("old", to: "card.png")
    let link = folder.path("link.png")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: card)
    let console = RecordingConsole(input: #"{"aps":{"alert":"B"}}"#)
    #expect(await console.run("simulate", "--render", link, "-") == .success)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == card)
    #expect(try Data(contentsOf: URL(filePath: card)).starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("a later payload of a thread is drawn on the stack of those before it; another one is not")
  func stack() async throws {
    let folder = TemporaryFolder()
    let files = try ["orders", "orders", "news"].enumerated().map { number, thread in
      try folder.write(
        #"{"aps":{"alert":"B","thread-id":"\#(thread)"}}"#, to: "\(number).json")
    }
    for (options, name) in [
      ([], "card"), (["--banner"], "banner"), (["--lock-screen", "--look", "ios18"], "locked"),
    ] {
      let line = ["simulate", "--render", folder.path("\(name).png")] + options + files
      #expect(await runMartlet(line, RecordingConsole().console) == .success)
    }
    func height(_ name: String) throws -> Int {
      // The IHDR of a PNG (section 11.2.2): the height is at byte 20.
      try Data(contentsOf: URL(filePath: folder.path(name)))[20..<24].reduce(0) {
        $0 << 8 | Int($1)
      }
    }
    let (first, second, third) = try (
      height("card-1.png"), height("card-2.png"), height("card-3.png")
    )
    #expect(first < second && first == third)
    #expect(try height("banner-1.png") > first)
    #expect(try height("locked-1.png") > first + 500)
  }

  @Test(
    "the command line is wrong: exit 2 and the option is named",
    arguments: [
      ["simulate"], ["simulate", "--latency", "soon", "-"],
      ["simulate", "--look", "ios17", "-"],
      ["simulate", "--push-type", "voip", "-"], ["simulate", "--media", "nofile", "-"],
      ["simulate", "--online", "--media", "a=b", "-"], ["simulate", "--memory-limit", "much", "-"],
      ["simulat"], ["simulate", "--media-ca", "x", "-"],
    ])
  func usage(line: [String]) async {
    let console = RecordingConsole()
    #expect(await runMartlet(line, console.console) == .invalidInput)
    #expect(console.errors.count == 1 && console.output.isEmpty)
  }

  @Test("an hour of latency takes no time; the engine's deadline and the reason are told")
  func latency() async throws {
    let console = RecordingConsole(input: Self.push)
    #expect(
      await console.run("simulate", "--json", "--latency", "1h", "--media", Self.media, "-")
        == .failure)
    let object = try JSONValue(parsing: try #require(console.output.first))
    let elapsed = try #require(object["extension"]?["elapsedSeconds"]?.number)
    #expect(elapsed >= 25 && elapsed < 29)
    #expect(object["media"]?.array?.first?["reason"] == "timeout")
  }

  @Test("the app's own key, its bundle and its categories")
  func own() async throws {
    let payload =
      #"{"aps":{"alert":"B","category":"GOLD","mutable-content":1},"data":{"film":"gold.mp4"},"Simulator Target Bundle":"a.b"}"#
    let console = RecordingConsole(input: payload)
    let code = await console.run(
      "simulate", "--json", "--media-key", "data.film", "--bundle", Fixtures.url("media").path(),
      "--category", "GOLD", "-")
    #expect(code == .success)
    let object = try JSONValue(parsing: try #require(console.output.first))
    #expect(object["dialect"] == "custom")
    #expect(object["content"]?["userInfo"]?["Simulator Target Bundle"] == nil)
  }

  @Test(
    "a scripted URL is found however it is written",
    arguments: ["https://a/my cat.png", "https://a/k\u{E4}tzchen.png", "https://a/i=1"])
  func scriptedURL(url: String) async throws {
    let payload: JSONValue = [
      "aps": ["alert": "B", "mutable-content": 1], "_st": ["image_url": .string(url)],
    ]
    let console = RecordingConsole(input: String(decoding: payload.serialized(), as: UTF8.self))
    let media = url + "=" + Fixtures.url("media/picture.png").path()
    #expect(await console.run("simulate", "--media", media, "-") == .success)
  }

  @Test("media that the category restriction leaves out are skipped, and said so")
  func restricted() async throws {
    let payload = Self.push.replacing(
      "\"mutable-content\"", with: "\"category\":\"X\",\"mutable-content\"")
    let console = RecordingConsole(input: payload)
    #expect(await console.run("simulate", "--json", "--category", "GOLD", "-") == .failure)
    let object = try JSONValue(parsing: try #require(console.output.first))
    let media = try #require(object["media"]?.array?.first)
    #expect(media["result"] == "skipped" && media["reason"] == "category")
  }

  @Test("people read what is seen first, then why")
  func text() async {
    let console = RecordingConsole(input: Self.push)
    _ = await console.run("simulate", "--media", Self.media, "-")
    // On a busy machine the extension's own work takes time of the clock.
    let text = console.output.joined(separator: "\n").replacing(/\d+\.\d{3} s/, with: "0.000 s")
    #expect(
      text == """
        -: displayed
          title  T
          body  B
          public.png  118648 bytes
          why: the extension's content is shown
             0.000 s  host: the extension runs
             0.000 s  dialect: sailthru
             0.000 s  media: $._st.image_url requests https://a/i=1
             0.000 s  media: fetching https://a/i=1
             0.000 s  media: public.png by its bytes, 118648 bytes, from https://a/i=1
             0.000 s  media: attached: https://a/i=1
             0.000 s  deliver: text and 1 attachment
             0.000 s  host: the extension called the content handler
             0.000 s  host: displayed: the extension's content is shown
        """)
  }
}
