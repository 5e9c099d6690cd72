import Foundation
import PushPayload
import TestSupport
import Testing

private let root = Repository.root

/// The archive that `scripts/portable` makes of the program of this build, once for all tests.
private enum PortableArchive {
  private static let folder = TemporaryFolder()
  private static let made = Task { () -> (status: Int32, output: String) in
    await runProgram(
      root.appending(path: "scripts/portable").path, [program, folder.url.path])
  }

  private static let program = BuiltProgram.path("martlet-packaged")

  /// Its path, and what the script printed.
  static func path() async throws -> (path: String, output: String) {
    let result = await made.value
    try #require(result.status == 0, "\(result.output)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let name = try #require(names.first { $0.hasSuffix(".tar.gz") })
    return (folder.path(name), result.output)
  }

  static let isPossible =
    ["objdump", "ldd", "strip"].allSatisfy {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    } && FileManager.default.isExecutableFile(atPath: program)
}

/// Whether the tests' Python reads YAML.
private let python: String? = {
  let own = root.appending(path: ".build/python/bin/python").path
  for candidate in [own, "/usr/bin/python3"]
  where FileManager.default.isExecutableFile(atPath: candidate) {
    let probe = Process()
    probe.executableURL = URL(filePath: candidate)
    probe.arguments = ["-c", "import yaml"]
    probe.standardError = FileHandle.nullDevice
    guard (try? probe.run()) != nil else { continue }
    probe.waitUntilExit()
    if probe.terminationStatus == 0 { return candidate }
  }
  return nil
}()

@Suite(
  "Continuous integration of others", .timeLimit(.minutes(10)),
  .enabled(if: PortableArchive.isPossible, "binutils are not installed"))
struct ContinuousIntegrationTests {
  private let folder = TemporaryFolder()
  private let good = #"{"aps":{"alert":"Hello"}}"#
  /// M101: not JSON.
  private let bad = #"{"aps":"#

  /// Writes two payloads, one of which is wrong.
  private func writePayloads() throws -> (good: String, bad: String) {
    try FileManager.default.createDirectory(
      atPath: folder.path("payloads"), withIntermediateDirectories: true)
    return (
      try folder.write(good, to: "payloads/good one.json"),
      try folder.write(bad, to: "payloads/bad.json")
    )
  }

  /// Runs a shell script in the folder; standard error is a part of the output.
  private func shell(
    _ script: String, _ variables: [String: String] = [:]
  ) async -> (status: Int32, output: String) {
    let pairs = variables.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
    return await runProgram(
      "/usr/bin/env",
      pairs + ["sh", "-c", "cd '\(folder.url.path)' && { \(script)\n} 2>&1"])
  }

  @Test(
    "the archive runs where nothing is but glibc and a shell",
    .enabled(if: geteuid() == 0, "only root may change the root directory"))
  func barren() async throws {
    let archive = try await PortableArchive.path()
    #expect(archive.output.contains("glibc 2."))
    let payloads = try writePayloads()
    let script = """
      set -e
      mkdir -p new/proc new/tmp new/bin new/dev new/opt new/lib64
      tar xzf '\(archive.path)' -C new/opt --strip-components=1
      for file in /bin/sh $(ldd /bin/sh '\(CommandLine.arguments[0])' | grep -oE \
        '/[^ ]*/(ld-linux[^ ]*|lib(c|m|dl|rt|pthread|resolv|util))\\.so\\.[0-9]+' | sort -u); do
        mkdir -p "new${file%/*}"; cp -L "$file" "new$file"
      done
      mknod -m 666 new/dev/null c 1 3
      cp '\(payloads.good)' new/good.json; cp '\(payloads.bad)' new/bad.json
      cp -r '\(root.path)/Tests/Fixtures/bundles' new/bundles
      run() {
        code=0
        unshare --mount --pid --fork sh -c \
          'mount -t proc proc new/proc && exec chroot new /opt/martlet "$@"' sh "$@" || code=$?
        echo "code $code"
      }
      run lint /good.json
      run lint --format sarif /bad.json
      run simulate --memory-limit 24MiB /good.json
      run doctor /bundles
      ls new/opt/licenses | wc -l
      """
    let result = await shell(script)
    #expect(result.status == 0, "\(result.output)")
    let lines = result.output.split(separator: "\n").map(String.init)
    let codes = lines.filter { $0.hasPrefix("code ") }
    #expect(codes.prefix(3) == ["code 0", "code 1", "code 0"], "\(result.output)")
    #expect(lines.contains("no errors, no warnings and no notes in 1 payload"))
    #expect(lines.contains("/good.json: displayed"))
    let log = try #require(lines.first { $0.hasPrefix("{") })
    #expect(try JSONValue(parsing: log)["version"] == "2.1.0")
    // No library of the system can have been loaded: none is there.
    #expect(!result.output.contains("error while loading"))
    #expect(lines.last.flatMap { Int($0) } ?? 0 > 20, "the licences of the libraries are there")
  }

  @Test(
    "the GitHub Action fails with the findings of lint and leaves them as SARIF",
    .enabled(if: python != nil, "no Python with PyYAML"))
  func action() async throws {
    let archive = try await PortableArchive.path().path
    let payloads = try writePayloads()
    func run(_ inputs: [String: String]) async throws -> (status: Int32, output: String) {
      let words = inputs.map { "'\($0)=\($1)'" }.joined(separator: " ")
      return await shell(
        "'\(python ?? "")' '\(root.path)/Tests/Scripts/run_ci.py' action '\(root.path)/action.yml' \(words)",
        ["GITHUB_OUTPUT": folder.path("outputs"), "MARTLET_CACHE": folder.path("cache")])
    }
    let both = "\n\(payloads.good)\n\(payloads.bad)\n"
    let failed = try await run(["paths": both, "archive": archive])
    #expect(failed.status == 1, "\(failed.output)")
    #expect(failed.output.contains("M101"))
    #expect(failed.output.contains("::error::martlet lint ends with 1"))
    func outputs() throws -> String {
      try String(contentsOfFile: folder.path("outputs"), encoding: .utf8)
    }
    #expect(try outputs() == "sarif-file=martlet.sarif\n")
    let sarif = try JSONValue(
      parsing: String(contentsOfFile: folder.path("martlet.sarif"), encoding: .utf8))
    #expect(sarif["runs"]?.array?.first?["results"]?.array?.first?["ruleId"] == "M101")

    #expect(try await run(["paths": payloads.good, "archive": archive]).status == 0)
    // What cannot be done is 2, as with martlet itself.
    #expect(try await run(["paths": "\n\n", "archive": archive]).status == 2)
    #expect(try await run(["paths": "x", "command": "serve", "archive": archive]).status == 2)
    #expect(try await run(["paths": "x", "archive": archive, "sha256": "00"]).status == 2)
    #expect(try await run(["paths": "x", "archive": "/nothing.tar.gz"]).status == 2)
    #expect(try await run(["path": "x"]).output.contains("no such input"))
    // Only the two runs of martlet have left a file to upload.
    #expect(try outputs() == String(repeating: "sarif-file=martlet.sarif\n", count: 2))
  }

  @Test(
    "the job of GitLab's template fails with the findings, and only with the archive of the checksum",
    .enabled(if: python != nil, "no Python with PyYAML"))
  func gitlab() async throws {
    let archive = try await PortableArchive.path().path
    _ = try writePayloads()
    let sum = await runProgram("/usr/bin/sha256sum", [archive]).output.prefix(64)
    func run(_ variables: [String: String]) async -> (status: Int32, output: String) {
      let words = variables.map { "'\($0)=\($1)'" }.joined(separator: " ")
      let template = root.path + "/Packaging/ci/gitlab.yml"
      return await shell(
        "'\(python ?? "")' '\(root.path)/Tests/Scripts/run_ci.py' gitlab '\(template)' .martlet-lint \(words)"
      )
    }
    let wrong = await run(["MARTLET_ARCHIVE": archive, "MARTLET_SHA256": "00"])
    #expect(wrong.status != 0 && !wrong.output.contains("M101"))
    let failed = await run(["MARTLET_ARCHIVE": archive, "MARTLET_SHA256": String(sum)])
    #expect(failed.status == 1, "\(failed.output)")
    #expect(failed.output.contains("M101"))
    let sarif = try String(contentsOfFile: folder.path("martlet.sarif"), encoding: .utf8)
    #expect(sarif.contains("M101"))
    // The second job finds the program in the cache, but not for the checksum of another archive.
    try FileManager.default.removeItem(atPath: folder.path("payloads/bad.json"))
    let passed = await run(["MARTLET_ARCHIVE": "/nothing", "MARTLET_SHA256": String(sum)])
    #expect(passed.status == 0, "\(passed.output)")
    let other = await run(["MARTLET_ARCHIVE": "/nothing", "MARTLET_SHA256": "00"])
    #expect(other.status != 0, "\(other.output)")
  }

  @Test(
    "each hook of pre-commit runs, fails with findings, and passes without",
    .enabled(if: python != nil, "no Python with PyYAML"))
  func hooks() async throws {
    let archive = try await PortableArchive.path().path
    let payloads = try writePayloads()
    let manifest = root.path + "/.pre-commit-hooks.yaml"
    let list = await shell(
      """
      '\(python ?? "")' -c 'import re, sys, yaml
      for hook in yaml.safe_load(open(sys.argv[1])):
        assert hook["language"] == "script" and hook["name"]
        # pre-commit searches for the pattern in the path, and has no type for .apns.
        assert "types" not in hook
        for path in ["push/a.json", "app/payloads/b.apns", "notification/c d.JSON"]:
          assert re.search(hook["files"], path), path
        for path in ["push/README.md", "a.json", "push.json", "payloads/json"]:
          assert not re.search(hook["files"], path), path
        print(hook["entry"])' '\(manifest)'
      """)
    let entries = list.output.split(separator: "\n")
    #expect(
      entries == ["Packaging/ci/martlet lint", "Packaging/ci/martlet simulate"], "\(list.output)")
    for entry in entries {
      // pre-commit runs the entry of its clone in the repository, with the files' names behind it.
      func run(_ files: String) async -> Int32 {
        await shell(
          "'\(root.path)/'\(entry) \(files)",
          ["MARTLET_ARCHIVE": archive, "MARTLET_CACHE": folder.path("cache")]
        ).status
      }
      #expect(await run("'\(payloads.good)'") == 0, "\(entry)")
      #expect(await run("'\(payloads.good)' '\(payloads.bad)'") != 0, "\(entry)")
    }
  }

  @Test(
    "a martlet of the PATH runs where no archive is named, and without either the error says so")
  func fromPath() async throws {
    let entry = root.path + "/Packaging/ci/martlet"
    try FileManager.default.createDirectory(
      atPath: folder.path("bin"), withIntermediateDirectories: true)
    let program = try folder.write("#!/bin/sh\necho \"ran $*\"\n", to: "bin/martlet")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let found = await shell(
      "'\(entry)' lint 'a b'", ["PATH": folder.path("bin") + ":/usr/bin:/bin"])
    #expect(found.output == "ran lint a b")
    let missing = await shell("'\(entry)' lint", ["PATH": "/usr/bin:/bin"])
    #expect(missing.status == 2)
    #expect(missing.output.contains("set MARTLET_ARCHIVE"))
    let unchecked = await shell(
      "'\(entry)' lint", ["MARTLET_ARCHIVE": "https://127.0.0.1:1/x", "PATH": "/usr/bin:/bin"])
    #expect(unchecked.status == 2)
    #expect(unchecked.output.contains("MARTLET_SHA256"))
  }

  @Test("a cache that is not the user's own is refused")
  func foreignCache() async throws {
    let cache = folder.path("tmp/martlet-\(geteuid())")
    for name in ["tmp", "elsewhere"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    func refused() async -> Bool {
      let result = await shell(
        "'\(root.path)/Packaging/ci/martlet' lint",
        [
          "MARTLET_ARCHIVE": "/nothing.tar.gz", "MARTLET_CACHE": "", "RUNNER_TEMP": "",
          "TMPDIR": folder.path("tmp"),
        ])
      #expect(result.status == 2, "\(result.output)")
      return result.output.contains("\(cache) is not a folder of this user")
    }
    #expect(await !refused())
    try FileManager.default.removeItem(atPath: cache)
    try FileManager.default.createSymbolicLink(
      atPath: cache, withDestinationPath: folder.path("elsewhere"))
    #expect(await refused())
    guard geteuid() == 0 else { return }
    try FileManager.default.removeItem(atPath: cache)
    try FileManager.default.createDirectory(atPath: cache, withIntermediateDirectories: true)
    #expect(chown(cache, 65534, 65534) == 0)
    #expect(await refused())
  }
}
