import Foundation
import FoundationNetworking
import PushPayload

/// A client of a running server's API, for commands with `--server`.
struct ServerClient: Sendable {
  /// The environment variable with the key for `--server`.
  static let variable = "MARTLET_API_KEY"

  enum Options {
    static let server = Option(
      "--server", .text("URL"), help: "work over HTTP on this server instead of on the store"
    ).inEnvironment
    static let apiKeyFile = Option(
      "--api-key-file", .file(), help: "the key for --server (default the variable MARTLET_API_KEY)"
    ).inEnvironment

    static let all: [any CommandOption] = [server, apiKeyFile]
    /// The options of a command that works on a store or, with `--server`, over HTTP.
    static let withStore = DataDirectory.Options.all + all + [CommonOptions.json]
  }

  let base: String
  private let key: String

  init(base: String, key: String) {
    self.base = base
    self.key = key
  }

  /// Returns `nil` if the command line does not have `--server`.
  init?(_ arguments: Arguments, _ console: Console) throws {
    guard let base = try arguments[Options.server] else { return nil }
    guard let url = URL(string: base), ["http", "https"].contains(url.scheme), url.host != nil,
      url.user == nil
    else { throw UsageError("--server takes http://HOST:PORT or https://HOST") }
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    if let file = try arguments[Options.apiKeyFile] {
      key = try InputFile.text(file, of: Options.apiKeyFile)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    } else if let variable = console.environment[Self.variable] {
      key = variable
    } else {
      throw UsageError("--server needs --api-key-file FILE, or the key in MARTLET_API_KEY")
    }
  }

  /// An id, escaped as a path segment or a query value.
  static func escaped(_ id: String) -> String {
    id.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// Makes a request and returns the JSON of the answer.
  ///
  /// `headers` are sent in addition to the usual ones.
  ///
  /// - Throws: ``CommandFailure`` with the server's message if the status is not 2xx.
  func request(
    _ method: String, _ path: String, type: String = "application/json",
    headers: [String: String] = [:], body: Data? = nil
  ) async throws -> JSONValue {
    let (status, json) = try await answer(method, path, type: type, headers: headers, body: body)
    return try Self.accepted(status, json)
  }

  /// Deletes an object and returns the JSON of the answer; `nil` if the server does not have the
  /// object.
  func deletion(of path: String) async throws -> JSONValue? {
    let (status, json) = try await answer("DELETE", path)
    return status == 404 ? nil : try Self.accepted(status, json)
  }

  private static func accepted(_ status: Int, _ json: JSONValue) throws -> JSONValue {
    guard !(300..<400).contains(status) else {
      throw CommandFailure(
        "the server answered \(status), a redirect: name the address to which it leads as --server")
    }
    guard (200..<300).contains(status) else {
      let message = json["error"]?.string ?? "no reason"
      throw CommandFailure("the server answered \(status): \(message)")
    }
    guard json != .null else {
      throw CommandFailure("the answer is not one of martlet serve; does --server name it?")
    }
    return json
  }

  private func answer(
    _ method: String, _ path: String, type: String = "application/json",
    headers: [String: String] = [:], body: Data? = nil
  ) async throws -> (status: Int, json: JSONValue) {
    guard let url = URL(string: base + path) else { throw UsageError("--server takes a URL") }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body
    request.timeoutInterval = 600
    let credentials = Data((":" + key).utf8).base64EncodedString()
    request.setValue("Basic " + credentials, forHTTPHeaderField: "Authorization")
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if body != nil { request.setValue(type, forHTTPHeaderField: "Content-Type") }
    let status: Int
    let data: Data
    do {
      (status, data) = try await HTTPExchange.run(request)
    } catch {
      throw CommandFailure(
        "cannot reach \(base) (\(error.localizedDescription)); is martlet serve running there?"
          + (base.hasPrefix("https")
            ? " Its certificate must be one that this system trusts." : ""),
        cause: error)
    }
    let json = (try? JSONValue(parsing: data)) ?? .null
    return (status, json)
  }
}
