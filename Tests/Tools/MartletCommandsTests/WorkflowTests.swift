import Foundation
import TestSupport
import Testing

private let root = Repository.root
private let actionlint = root.appending(path: ".build/python/bin/actionlint").path()

@Suite(
  "Workflows of GitHub", .timeLimit(.minutes(5)),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: actionlint),
    "actionlint is not installed; scripts/bootstrap installs it"))
struct WorkflowTests {
  private let folder = TemporaryFolder()

  /// Runs actionlint without the linters of scripts, which not every machine has.
  private func check(_ files: [String]) async -> (status: Int32, output: String) {
    let settings = root.appending(path: ".github/actionlint.yaml").path()
    return await runProgram(
      actionlint,
      ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", "-config-file", settings] + files)
  }

  @Test("actionlint has nothing to say of the workflows")
  func workflows() async throws {
    let path = root.appending(path: ".github/workflows").path()
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    #expect(names.contains("ci.yml"))
    let (status, said) = await check(names.map { "\(path)/\($0)" })
    #expect(status == 0 && said.isEmpty, "\(said)")
  }

  @Test("a workflow without permissions and a job without a time limit are found")
  func policy() async throws {
    let workflow = try folder.write(
      "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'true'}]}}\n", to: "a.yml")
    let (status, said) = await check([workflow])
    #expect(status == 1)
    #expect(said.contains("[require-permissions]"), "\(said)")
    #expect(said.contains("[require-job-timeout]"), "\(said)")
  }

  @Test(
    "the example of docs/ci/README.md gives the action its inputs, and an unknown one would be found",
    arguments: ["paths", "path"])
  func example(input: String) async throws {
    let page = try String(contentsOf: root.appending(path: "docs/ci/README.md"), encoding: .utf8)
    let block = try #require(page.components(separatedBy: "```yaml\n").dropFirst().first)
    let jobs = block.components(separatedBy: "```")[0]
      .replacing("OWNER/martlet@COMMIT", with: "./martlet").replacing("paths:", with: "\(input):")
    for name in [".git", ".github/workflows", "martlet"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try FileManager.default.copyItem(
      atPath: root.appending(path: "action.yml").path(), toPath: folder.path("martlet/action.yml"))
    let workflow = try folder.write(
      "on: push\npermissions: {}\n" + jobs, to: ".github/workflows/a.yml")
    let (status, said) = await check([workflow])
    #expect(status == (input == "paths" ? 0 : 1), "\(said)")
    #expect(said.contains("\"path\" is not defined") == (input == "path"), "\(said)")
  }
}
