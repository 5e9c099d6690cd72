import PushPayload
import Testing

@testable import MartletCommands

@Suite("The command line")
struct ArgumentsTests {
  enum Size: String, CaseIterable, Sendable { case small, large }

  enum Options {
    static let listen = Option("--listen", .address, default: "h:2", help: "").inEnvironment
    static let media = Option(repeated: "--media", .text("URL=FILE"), help: "").inEnvironment
    static let workers = Option("--workers", .count(1...8), help: "").inEnvironment
    static let size = Option("--size", .oneOf(Size.self), default: "small", help: "")
    static let app = Option(required: "--app", .text("ID"), help: "")
    static let all: [any CommandOption] = [
      listen, media, workers, size, app, CommonOptions.json,
    ]
  }

  static func parse(
    _ line: [String], environment: [String: String] = [:]
  ) throws -> Arguments {
    try Arguments(line, options: Options.all, environment: environment)
  }

  @Test("options and operands mix, = and a space are the same, -- ends the options")
  func parses() throws {
    let arguments = try Self.parse([
      "a.json", "--listen=h:1", "--media", "x=1", "--media", "y=2", "--json", "-", "--", "--listen",
    ])
    #expect(arguments.operands == ["a.json", "-", "--listen"])
    #expect(try arguments[Options.media] == ["x=1", "y=2"])
    #expect(arguments[CommonOptions.json])
    #expect(try arguments[Options.listen] == SocketAddress("h:1"))
    #expect(arguments.isOnCommandLine(Options.listen))
  }

  @Test("an option that is left out is nil, its default, no value or false")
  func absent() throws {
    let arguments = try Self.parse([])
    #expect(try arguments[Options.listen] == SocketAddress("h:2"))
    #expect(try arguments[Options.size] == .small)
    #expect(try arguments[Options.workers] == nil)
    #expect(try arguments[Options.media] == [])
    #expect(!arguments[CommonOptions.json])
    #expect(!arguments.isOnCommandLine(Options.listen))
    #expect(throws: UsageError.self) { try arguments[Options.app] }
  }

  @Test(
    "an error names the option and what it takes",
    arguments: [
      (["--lisen", "x"], "unknown option --lisen; did you mean --listen?"),
      (["--med", "x"], "unknown option --med; did you mean --media?"),
      (["--listenn", "x"], "unknown option --listenn; did you mean --listen?"),
      (["-x"], "unknown option -x"),
      (["--completely-else"], "unknown option --completely-else"),
      (["--listen"], "--listen needs a value: --listen HOST:PORT"),
      (["--json=1"], "--json takes no value"),
      (["--listen", "a:1", "--listen", "b:2"], "--listen may be given once only"),
    ])
  func wrong(line: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Self.parse(line) }
    #expect(error?.message == message)
  }

  @Test(
    "a value that is not of the option's form is refused",
    arguments: [
      (["--workers", "9"], "--workers takes a whole number from 1 to 8, not \"9\""),
      (["--workers", "two"], "--workers takes a whole number from 1 to 8, not \"two\""),
    ])
  func wrongValue(line: [String], message: String) {
    let error = #expect(throws: UsageError.self) { try Self.parse(line)[Options.workers] }
    #expect(error?.message == message)
  }

  @Test("the command line wins over the environment, the environment over the file")
  func precedence() throws {
    var arguments = try Self.parse(
      ["--listen", "flag:1"], environment: ["MARTLET_LISTEN": "env:2", "MARTLET_WORKERS": "3"])
    try arguments.setConfiguration(["workers": 4, "media": ["f=1", "g=2"]])
    #expect(try arguments[Options.listen].host == "flag")
    #expect(try arguments[Options.workers] == 3)
    #expect(try arguments[Options.media] == ["f=1", "g=2"])
    let error = #expect(throws: UsageError.self) { try arguments.setConfiguration(["worker": 1]) }
    #expect(
      error?.message
        == "the configuration file has an unknown key \"worker\"; did you mean \"workers\"?")
  }

  @Test(
    "a value of the configuration file that an option cannot have is refused",
    arguments: [
      ("workers", .null, ""), ("workers", ["1"], ""), ("workers", ["count": 1], ""),
      ("media", ["x": "1"], ", or a list of them"), ("media", [["x=1"]], ", or a list of them"),
      ("media", .null, ", or a list of them"),
    ] as [(String, JSONValue, String)])
  func wrongConfiguration(key: String, value: JSONValue, more: String) throws {
    var arguments = try Self.parse([])
    let error = #expect(throws: UsageError.self) { try arguments.setConfiguration([key: value]) }
    #expect(
      error?.message
        == "the configuration file's \"\(key)\" takes a text, a number, true or false\(more)")
  }

  @Test("an option that is not marked so is not read from the environment")
  func notInEnvironment() throws {
    let arguments = try Self.parse([], environment: ["MARTLET_SIZE": "large", "MARTLET_JSON": "1"])
    #expect(try arguments[Options.size] == .small)
    #expect(!arguments[CommonOptions.json])
  }

  @Test(
    "addresses",
    arguments: [
      ("h:1", "h", 1), ("[::1]:65535", "::1", 65535), ("::1:8", "::1", 8), (":1", nil, 0),
      ("h", nil, 0), ("h:65536", nil, 0), ("h:", nil, 0),
    ] as [(String, String?, UInt16)])
  func addresses(text: String, host: String?, port: UInt16) {
    let address = SocketAddress(text)
    #expect(address?.host == host && address?.port ?? 0 == port)
  }

  @Test(
    "units",
    arguments: [
      ("200ms", Duration.milliseconds(200)), ("2s", .seconds(2)), ("5m", .seconds(300)),
      ("3", .seconds(3)), ("1.5s", .milliseconds(1500)),
      ("1h", .seconds(3600)), ("90d", .seconds(90 * 86_400)),
      ("", nil), ("-1s", nil), ("2 s", nil), ("1e99s", nil), ("ms", nil),
    ] as [(String, Duration?)])
  func durations(text: String, duration: Duration?) { #expect(Units.duration(text) == duration) }

  @Test(
    "sizes and rates",
    arguments: [("24MiB", 25_165_824), ("500KB", 500_000), ("7", 7), ("x", nil), ("1.5KB", 1500)]
      as [(String, Int?)])
  func sizes(text: String, size: Int?) {
    #expect(Units.size(text) == size)
    #expect(Units.rate(text + "/s") == size)
    #expect(Units.rate(text) == nil)
  }
}
