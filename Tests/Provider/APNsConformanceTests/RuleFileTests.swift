import APNsConformance
import Foundation
import TestSupport
import Testing

@Suite("The files of conformance rules")
struct RuleFileTests {
  private static func rule(_ changes: [String: String] = [:]) -> String {
    let members = [
      "id": #""push.accepted""#, "statement": #""A push is accepted.""#,
      "evidence": #"[{"kind":"rfc","url":"https://www.rfc-editor.org","read":"2026-11"}]"#,
      "versions": #"["APNs"]"#,
      "server": #"{"steps":[{"send":{},"expect":{"status":[200]}}]}"#,
    ].merging(changes) { $1 }
    return "[{"
      + members.filter { !$0.value.isEmpty }.map { "\"\($0.key)\":\($0.value)" }
      .joined(separator: ",") + "}]"
  }

  @Test("every rule that the program carries is understood, and its id is its own")
  func all() throws {
    let rules = try ConformanceRules.all()
    #expect(rules.count >= 60)
    #expect(Set(rules.map(\.id)).count == rules.count)
    #expect(rules.contains { $0.serverCase != nil })
    #expect(rules.contains { $0.clientCase != nil })
    #expect(rules.contains { $0.phoneCase != nil })
  }

  @Test("every file of the folder is in the program")
  func folder() throws {
    let root = Repository.root.appending(path: "Conformance")
    let paths = try #require(FileManager.default.enumerator(atPath: root.path()))
      .compactMap { $0 as? String }.filter { $0.contains("/") && $0.hasSuffix(".json") }
    var count = 0
    for path in paths {
      let bytes = Array(try Data(contentsOf: root.appending(path: path)))
      count += try ConformanceRules.read(bytes, named: path).count
    }
    #expect(try ConformanceRules.all().count == count)
  }

  @Test(
    "a rule that lacks something is refused, and the error names it",
    arguments: [
      (["evidence": "[]"], "no evidence"), (["evidence": ""], "evidence"),
      (["evidence": #"[{"kind":"apple","url":"a book","read":"2026-11"}]"#], "https"),
      (["evidence": #"[{"kind":"rumour","url":"https://a.example","read":"2026-11"}]"#], "rumour"),
      (["versions": "[]"], "version"), (["server": ""], "one case"),
      (["phone": "{}"], "one case"), (["statement": ""], "statement"),
    ])
  func refused(changes: [String: String], word: String) throws {
    _ = try ConformanceRules.read(Array(Self.rule().utf8), named: "rules.json")
    let error = #expect(throws: ConformanceError.self) {
      try ConformanceRules.read(Array(Self.rule(changes).utf8), named: "rules.json")
    }
    #expect(error?.code == .badRule)
    #expect(error?.message.contains("rules.json") == true)
    #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
  }

  @Test("the schema accepts each file, and refuses a rule without evidence and an unknown member")
  func schema() async throws {
    let root = Repository.root
    let folder = TemporaryFolder()
    let bad = [
      try folder.write(Self.rule(["evidence": "[]"]), to: "evidence.json"),
      try folder.write(Self.rule(["remark": #""none""#]), to: "remark.json"),
    ]
    let good = try folder.write(Self.rule(), to: "good.json")
    let files = try #require(
      FileManager.default.enumerator(atPath: root.appending(path: "Conformance").path())
    ).compactMap { $0 as? String }.filter { $0.contains("/") && $0.hasSuffix(".json") }.sorted()
      .map { root.appending(path: "Conformance/\($0)").path() }
    let run = await runProgram(
      root.appending(path: ".build/python/bin/python").path(),
      [root.appending(path: "scripts/conformance/validate").path(), good] + files + bad)
    try #require(run.status == 0, "run scripts/bootstrap, which installs jsonschema")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines == Array(repeating: "valid", count: files.count + 1) + ["invalid", "invalid"])
  }
}
