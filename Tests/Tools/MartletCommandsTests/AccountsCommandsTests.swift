import Foundation
import PushPayload
import TestSupport
import Testing
import _OpenSSLCrypto

@testable import MartletCommands

@Suite("martlet accounts", .timeLimit(.minutes(10)))
struct AccountsCommandsTests {
  let directory = TemporaryFolder()
  var data: String { directory.path("data") }

  private func run(
    _ line: String..., exit: ExitCode = .success
  ) async -> (output: [String], errors: [String]) {
    let console = ServeConsole()
    #expect(await console.run(line + ["--data", data]) == exit, "\(console.errors)")
    return (console.output, console.errors)
  }

  private func makeApp() async throws -> String {
    let key = try directory.write(OpenSSLCrypto.makeP256KeyPEM(), to: "key.p8")
    let made = await run(
      "apps", "create", "--bundle-id", "com.example.app", "--team-id", "TEAM123456", "--key-id",
      "KEY1234567", "--key-file", key, "--json")
    return try JSONValue(parsing: made.output.first ?? "")["id"]?.string ?? ""
  }

  private func accounts() async throws -> [JSONValue] {
    try JSONValue(parsing: await run("accounts", "list", "--json").output.first ?? "").array ?? []
  }

  @Test(
    "a person is invited by a link of the server's address, beside a running serve, and signs in")
  func invite() async throws {
    let app = try await makeApp()
    let serve = try #require(await RunningServe.start(["--data", data]))
    let invited = await run(
      "accounts", "invite", "Ada@Example.com", "--role", "author", "--app", app, "--name",
      "Ada Lovelace", "--public-url", serve.url)
    let link = try #require(invited.output.first)
    #expect(link.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\/invitation\/[0-9a-f]{64}/) != nil)
    let jar = directory.path("cookies")
    func curl(_ arguments: [String]) async -> String {
      await runProgram(
        "/usr/bin/curl",
        ["--silent", "--include", "--max-time", "60", "--cookie", jar, "--cookie-jar", jar]
          + arguments
      ).output
    }
    func token(_ page: String) throws -> String {
      String(try #require(page.firstMatch(of: /name="token" value="([0-9a-f]+)"/)?.1))
    }
    let password = "four quite new words"
    let page = await curl([link])
    #expect(page.contains("Ada Lovelace") && page.contains("ada@example.com"))
    let chosen = await curl([
      link, "--data-urlencode", "token=\(try token(page))", "--data-urlencode", "name=Ada",
      "--data-urlencode", "password=\(password)", "--data-urlencode", "again=\(password)",
    ])
    #expect(chosen.contains("303") && chosen.contains("/sign-in?welcome=1"))
    // With the standard cost of a hash.
    let signIn = await curl([serve.url + "/sign-in"])
    let signedIn = await curl([
      serve.url + "/sign-in/account", "--data-urlencode", "token=\(try token(signIn))",
      "--data-urlencode", "email=ada@example.com", "--data-urlencode", "password=\(password)",
    ])
    #expect(signedIn.contains("/apps/\(app)/home"), "\(signedIn)")
    #expect(await curl([serve.url + "/account"]).contains("1 session<"))
    _ = await serve.stop()
    #expect(
      try await accounts().map { [$0["email"], $0["name"], $0["invited"], $0["second_factor"]] }
        == [["ada@example.com", "Ada", false, false]])
    #expect(try await accounts().first?["roles"] == [["role": "author", "app": .string(app)]])
  }

  @Test("an account is listed, gets another role and a new link, and is removed")
  func life() async throws {
    let app = try await makeApp()
    let first = await run("accounts", "invite", "ada@example.com", "--role", "viewer", "--json")
    let made = try JSONValue(parsing: first.output.first ?? "")
    #expect(made["link"]?.string?.hasPrefix("http://127.0.0.1:8080/invitation/") == true)
    let again = await run(
      "accounts", "invite", "ada@example.com", "--role", "approver", "--app", app, "--json")
    let other = try JSONValue(parsing: again.output.first ?? "")
    #expect(other["id"] == made["id"] && other["link"] != made["link"])
    #expect(
      await run("accounts", "list").output
        == ["ada@example.com  viewer of all apps  approver of \(app)  invited"])
    let reset = await run("accounts", "reset", "ADA@example.com", "--second-factor")
    #expect(reset.output.first?.contains("/invitation/") == true)
    _ = await run("accounts", "remove", "ada@example.com", "--app", app)
    #expect(try await accounts().first?["roles"] == [["role": "viewer", "app": .null]])
    let none = await run("accounts", "remove", "ada@example.com", "--app", app, exit: .failure)
    #expect(none.errors.joined().contains("has no role in the app"))
    _ = await run("accounts", "remove", "ada@example.com")
    #expect(try await accounts().isEmpty)
    for command in ["reset", "remove"] {
      let gone = await run("accounts", command, "ada@example.com", exit: .failure)
      #expect(gone.errors.joined().contains("martlet accounts list names them"))
    }
  }

  @Test(
    "a wrong command line is refused with what the option takes",
    arguments: [
      (["invite", "ada@example.com"], "missing --role"),
      (["invite", "ada@example.com", "--role", "owner"], "viewer, author, approver or admin"),
      (["invite", "ada", "--role", "viewer"], "EMAIL must be an address"),
      (["invite", "--role", "viewer"], "missing EMAIL"),
      (
        ["invite", "a@b.c", "--role", "viewer", "--name", String(repeating: "n", count: 101)], "100"
      ),
      (["reset", "ада@example.com"], "EMAIL must be an address"),
    ])
  func usage(line: [String], message: String) async {
    let console = ServeConsole()
    #expect(await console.run(["accounts"] + line + ["--data", data]) == .invalidInput)
    #expect(console.errors.joined().contains(message), "\(console.errors)")
  }

  @Test("an app that there is not is refused before an account is made")
  func noApp() async throws {
    _ = try await makeApp()
    let refused = await run(
      "accounts", "invite", "a@b.c", "--role", "viewer", "--app", "none", exit: .failure)
    #expect(refused.errors.joined().contains("there is no app none"))
    #expect(try await accounts().isEmpty)
  }
}
