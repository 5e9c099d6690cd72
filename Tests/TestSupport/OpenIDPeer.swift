#if os(Linux)
  import Foundation
  import _Spawn

  /// A running OpenID provider by other authors (`Tests/Peers/openid_provider.py`).
  package final class OpenIDPeer: Sendable {
    private let process: ChildProcess
    private let reading: Task<Void, Never>
    package let issuer: String

    package struct NotStarted: Error {}

    /// Starts it with people, each a JSON object of a `sub` and claims.
    ///
    /// - Parameter registered: Whether only clients that have registered are served.
    package init(_ people: [String], registered: Bool = false) async throws {
      let root = Repository.root
      process = try ChildProcess(
        root.appending(path: ".build/python/bin/python").path(),
        [
          root.appending(path: "Tests/Peers/openid_provider.py").path(),
          registered ? "registered" : "open",
        ] + people)
      var lines = process.lines.makeAsyncIterator()
      guard let issuer = await lines.next() else { throw NotStarted() }
      self.issuer = issuer
      reading = Task { while await lines.next() != nil {} }
    }

    /// Answers the provider's page as a person does, and returns where it leads the browser.
    ///
    /// - Parameter person: The `sub` of the person; `nil` does not agree.
    package func answer(_ url: String, as person: String?) async throws -> String {
      let run = await runProgram(
        "/usr/bin/curl",
        [
          "--silent", "--show-error", "--output", "/dev/null", "--write-out", "%{redirect_url}",
          "--data-urlencode", person.map { "sub=\($0)" } ?? "action=deny", url,
        ])
      return run.output
    }

    /// Registers a client, and returns the JSON text with its id and its secret.
    package func register() async -> String {
      let body = """
        {"redirect_uris":["https://push.example/sign-in/provider/callback"],\
        "token_endpoint_auth_method":"client_secret_basic"}
        """
      return await runProgram(
        "/usr/bin/curl",
        [
          "--silent", "--fail", "--header", "Content-Type: application/json", "--data", body,
          issuer + "/oauth2/clients",
        ]
      ).output
    }

    package func stop() async {
      process.signal(SIGTERM)
      _ = await process.wait()
      await reading.value
    }
  }
#endif
