import Foundation
import PushPayload
import PushServer
import Synchronization
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("martlet devices", .timeLimit(.minutes(5)))
struct DevicesCommandsTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  /// Makes an app in a store and returns its id.
  private func makeApp(in data: String) async throws -> String {
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    let console = ServeConsole()
    let code = await console.run([
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--data", data, "--json",
    ])
    #expect(code == .success, "\(console.errors)")
    return try #require(JSONValue(parsing: console.output.joined())["id"]?.string)
  }

  /// A file with some rows that are rejected.
  private func file(rejecting count: Int) throws -> String {
    let bad = (0..<count).map { "zz\($0),iOS\n" }.joined()
    return try directory.write("token,os_name\naabb,IOS\n" + bad, to: "devices.csv")
  }

  @Test("20 rejected rows are all printed, and no file is made")
  func atLimit() async throws {
    let app = try await makeApp(in: data)
    let csv = try file(rejecting: 20)
    let console = ServeConsole()
    #expect(
      await console.run(["devices", "import", "--app", app, csv, "--data", data]) == .failure)
    #expect(console.errors.count == 20)
    #expect(console.output == ["1 devices accepted, 20 rows rejected"])
    #expect(!FileManager.default.fileExists(atPath: csv + ".rejected"))
  }

  @Test("of 21 rejected rows 20 are printed, the rest is counted, and all are in a file")
  func pastLimit() async throws {
    let app = try await makeApp(in: data)
    let csv = try file(rejecting: 21)
    let line = ["devices", "import", "--app", app, csv, "--data", data]
    let console = ServeConsole()
    #expect(await console.run(line) == .failure)
    #expect(console.errors.count == 21)
    #expect(console.errors.last == "and 1 more, which are all in \(csv).rejected")
    let text = try String(contentsOfFile: csv + ".rejected", encoding: .utf8)
    #expect(text.split(separator: "\n").count == 21)
    #expect(text.hasPrefix("line 3: token must be an even number of hex digits, 2 to 400\n"))

    // The file of an earlier import stays.
    for number in [2, 3] {
      let more = ServeConsole()
      #expect(await more.run(line) == .failure)
      #expect(more.errors.last == "and 1 more, which are all in \(csv).rejected-\(number)")
    }
    #expect(try String(contentsOfFile: csv + ".rejected", encoding: .utf8) == text)

    let other = directory.path("other.txt")
    let again = ServeConsole()
    #expect(await again.run(line + ["--rejected", other, "--json"]) == .failure)
    #expect(again.errors.isEmpty)
    let json = try JSONValue(parsing: again.output.joined())
    #expect(json["rejected"] == 21 && json["lines"]?.array?.count == 20)
    #expect(try String(contentsOfFile: other, encoding: .utf8) == text)
    let nowhere = ServeConsole()
    #expect(await nowhere.run(line + ["--rejected", "/nowhere/x"]) == .failure)
    #expect(nowhere.output == ["1 devices accepted, 21 rows rejected"])
    #expect(nowhere.errors.last?.contains("the import is done") == true)
  }

  @Test("a file whose columns are separated by semicolons is refused with the remedy")
  func semicolons() async throws {
    let app = try await makeApp(in: data)
    let csv = try directory.write("token;os_name;user_id\naa01;iOS;u1\n", to: "devices.csv")
    let console = ServeConsole()
    #expect(
      await console.run(["devices", "import", "--app", app, csv, "--data", data]) == .failure)
    #expect(
      console.errors == [
        "martlet devices import: line 1: semicolons separate the columns; save the file with commas "
          + "between the columns, which spreadsheet programs call the field delimiter or the list separator"
      ])
  }

  @Test("what is exported beside a running serve is imported into another store")
  func export() async throws {
    let app = try await makeApp(in: data)
    let csv = try directory.write(
      "token,os_name,user_id,custom.integer.age\naa01,iOS,ada,30\naa02,ios,,\n", to: "devices.csv")
    #expect(
      await ServeConsole().run(["devices", "import", "--app", app, csv, "--data", data]) == .success
    )
    let file = directory.path("devices.ndjson")
    let serve = try #require(await RunningServe.start(["--data", data]))
    let export = ServeConsole()
    let line = ["devices", "export", "--app", app, file, "--data", data]
    #expect(await export.run(line) == .success, "\(export.errors)")
    #expect(export.output == ["2 devices written"])
    #expect(await serve.stop() == .success)
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // A file that is there is not replaced.
    let again = ServeConsole()
    #expect(await again.run(line) == .failure)
    #expect(again.errors.first?.contains("is not replaced") == true)

    let other = directory.path("other")
    let copy = try await makeApp(in: other)
    let imported = ServeConsole()
    #expect(
      await imported.run(["devices", "import", "--app", copy, file, "--data", other]) == .success)
    #expect(imported.output == ["2 devices accepted, 0 rows rejected"])
    let second = directory.path("second.ndjson")
    #expect(
      await ServeConsole().run(["devices", "export", "--app", copy, second, "--data", other])
        == .success)
    #expect(
      try String(contentsOfFile: second, encoding: .utf8)
        == String(contentsOfFile: file, encoding: .utf8))
  }

  @Test("an export that is interrupted leaves nothing under its name")
  func interrupted() async throws {
    let app = try await makeApp(in: data)
    let folder = directory.path("exports")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let left = "devices.ndjson.martlet-partial-\(getpid())@\(ProcessInfo.processInfo.hostName)"
    _ = try directory.write("half", to: "exports/\(left)")
    let errors = Mutex<[String]>([])
    let console = Console(
      environment: [:], print: { _ in },
      printError: { line in
        errors.withLock { $0.append(line) }
        // The task that writes says what it has removed, and ends here as it does at a signal.
        if line.hasPrefix("removed ") { withUnsafeCurrentTask { $0?.cancel() } }
      },
      readInput: { _ in Data() }, readLine: { nil }, isTerminal: false,
      terminations: { AsyncStream<Void>.makeStream().stream })
    let line = ["devices", "export", "--app", app, folder + "/devices.ndjson", "--data", data]
    #expect(await Martlet().run(line, console) == .failure)
    let said = errors.withLock(\.self)
    #expect(said.last == "martlet devices export: interrupted; nothing was made", "\(said)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test("an export of OneSignal is imported over HTTP, and its rejected rows are named by line")
  func oneSignal() async throws {
    let app = try await makeApp(in: data)
    let csv = try directory.write(
      "identifier,device_type,external_user_id\naa01,0,ada\nx,1,\nzz,0,\naa02,0,\n",
      to: "export.csv")
    let serve = try #require(await RunningServe.start(["--data", data]))
    let console = ServeConsole()
    let code = await console.run([
      "devices", "import", "--from", "onesignal", "--app", app, csv, "--server", serve.url,
      "--api-key-file", data + "/admin.key",
    ])
    #expect(code == .failure)
    #expect(console.output == ["2 devices accepted, 2 rows rejected"])
    #expect(console.errors[0] == "line 3: device_type 1 is no iOS device")
    #expect(console.errors[1].hasPrefix("line 4: token must be an even number"))
    let wrong = ServeConsole()
    #expect(
      await wrong.run([
        "devices", "import", "--from", "airship", "--app", app, csv, "--data", data,
      ]) == .failure)
    #expect(wrong.errors.first?.contains("not JSON") == true)
    #expect(await serve.stop() == .success)
  }

  @Test("a device whose tags are not understood is imported, and its line is named")
  func losses() async throws {
    let app = try await makeApp(in: data)
    let csv = try directory.write(
      "identifier,device_type,tags\naa01,0,\"{'a': '1'}\"\n,,\naa02,0,{}\n", to: "export.csv")
    let line = ["devices", "import", "--from", "onesignal", "--app", app, csv, "--data", data]
    let console = ServeConsole()
    #expect(await console.run(line) == .failure)
    #expect(
      console.output == [
        "2 devices accepted, 1 of them with losses, 0 rows rejected, 1 empty rows skipped"
      ])
    #expect(console.errors.count == 1)
    #expect(console.errors.first?.hasPrefix("line 2: kept, but lost tags, which ") == true)
    let android = try directory.write("identifier,device_type\naa01,1\n", to: "android.csv")
    let none = ServeConsole()
    #expect(await none.run(line.map { $0 == csv ? android : $0 }) == .failure)
    #expect(none.output == ["0 devices accepted, 1 rows rejected"])
    let report = ServeConsole()
    #expect(await report.run(line + ["--json"]) == .failure)
    let json = try JSONValue(parsing: report.output.joined())
    #expect(json["accepted_with_losses"] == 1 && json["lines"]?.array?.first?["line"] == 2)
  }

  @Test("the file of rejected lines is complete where a server answers with 20 of them")
  func overHTTP() async throws {
    let app = try await makeApp(in: data)
    let serve = try #require(await RunningServe.start(["--data", data]))
    let server = ["--server", serve.url, "--api-key-file", data + "/admin.key"]
    let erased = try directory.write("token,os_name,id\naa01,iOS,gone\n", to: "erased.csv")
    let line = ["devices", "import", "--app", app]
    #expect(await ServeConsole().run(line + [erased] + server) == .success)
    let made = ServeConsole()
    let create = ["keys", "create", "--app", app, "--role", "push", "--data", data, "--json"]
    #expect(await made.run(create) == .success)
    let key = try #require(JSONValue(parsing: made.output.joined())["key"]?.string)
    let client = ServerClient(base: serve.url, key: key)
    _ = try await client.request("POST", "/v6/devices/gone/erase")

    // Line 2 is of an erased device, lines 3 to 23 have no token, and line 24 loses its zone.
    let bad = (0..<21).map { "zz\($0),iOS,,\n" }.joined()
    let csv = try directory.write(
      "token,os_name,id,time_zone\naa02,iOS,gone,\n\(bad)aa03,iOS,,Mars\n", to: "devices.csv")
    let all = directory.path("all.txt")
    let console = ServeConsole()
    #expect(await console.run(line + [csv, "--rejected", all] + server) == .failure)
    #expect(console.output == ["1 devices accepted, 1 of them with losses, 22 rows rejected"])
    #expect(console.errors.count == 21)
    #expect(console.errors.last == "and 3 more, which are all in \(all)")
    let lines = try String(contentsOfFile: all, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 23)
    #expect(lines[0] == "line 2: the device was erased and cannot be updated")
    #expect(lines[21] == "line 23: token must be an even number of hex digits, 2 to 400")
    #expect(lines[22].hasPrefix("line 24: kept, but lost time_zone, which "))
    #expect(await serve.stop() == .success)
  }

  @Test("an answer without counts is named, and not taken for zero")
  func unknownAnswer() {
    let old: JSONValue = ["accepted": 1, "accepted_with_losses": 0, "rejected": []]
    let error = #expect(throws: CommandFailure.self) { try DeviceImport.Report(answer: old) }
    #expect(error?.message.contains("no number rejected") == true)
  }

  @Test("the help of the import names the columns and the services")
  func help() async {
    let console = ServeConsole()
    #expect(await console.run(["devices", "import", "--help"]) == .success)
    let text = console.output.joined(separator: "\n")
    for word in ["token", "os_name", "user_id", "custom.<", "onesignal", "airship", "--rejected"] {
      #expect(text.contains(word), "\(word)")
    }
  }
}
