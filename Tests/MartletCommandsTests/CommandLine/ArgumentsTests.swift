import PushPayload
import Testing

@testable import MartletCommands

@Suite("The command line")
struct ArgumentsTests {
  static let options = [
    Option("--listen", "HOST:PORT", help: ""),
    Option("--media", "URL=FILE", isRepeatable: true, help: ""),
    Option("--workers", "N", help: ""), .json,
  ]

  @Test("options and operands mix, = and a space are the same, -- ends the options")
  func parses() throws {
    let arguments = try Arguments(
      [
        "a.json", "--listen=h:1", "--media", "x=1", "--media", "y=2", "--json", "-", "--",
        "--listen",
      ],
      options: Self.options)
    #expect(arguments.operands == ["a.json", "-", "--listen"])
    #expect(arguments.all("--media") == ["x=1", "y=2"])
    #expect(arguments.flag("--json"))
    #expect(try arguments.address("--listen", default: "").port == 1)
  }

  @Test(
    "what is wrong is named, with what the option takes",
    arguments: [
      (["--lisen", "x"], "unknown option --lisen"), (["--list"], "did you mean --listen?"),
      (["--listen"], "--listen HOST:PORT"),
      (["--json=1"], "--json takes no value"), (["--listen", "a:1", "--listen", "b:2"], "once"),
    ])
  func wrong(line: [String], message: String) {
    let error = #expect(throws: UsageError.self) {
      try Arguments(line.map { $0 == "--list" ? "--listenn" : $0 }, options: Self.options)
    }
    #expect(error?.message.contains(message) == true)
  }

  @Test("flags win over the environment, the environment over the file")
  func precedence() throws {
    var arguments = try Arguments(["--listen", "flag:1"], options: Self.options)
    try arguments.fallBack(
      environment: ["MARTLET_LISTEN": "env:2", "MARTLET_WORKERS": "3"],
      file: ["workers": 4, "media": "f=1"])
    #expect(arguments.value("--listen") == "flag:1")
    #expect(try arguments.integer("--workers", in: 1...8) == 3)
    #expect(arguments.all("--media") == ["f=1"])
    #expect(throws: UsageError.self) {
      try arguments.fallBack(environment: [:], file: ["unknown": 1])
    }
  }

  @Test(
    "units",
    arguments: [
      ("200ms", Duration.milliseconds(200)), ("2s", .seconds(2)), ("5m", .seconds(300)),
      ("3", .seconds(3)), ("1.5s", .milliseconds(1500)),
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
