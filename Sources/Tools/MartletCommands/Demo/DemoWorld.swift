import Foundation
import MartletKit
import PushCrypto
import PushPayload
import _OpenSSLCrypto

/// The processes of the demo, and the clients that use them.
struct DemoWorld: Sendable {
  let mediaURLs: [String: String]
  let serverBase: String
  let serverData: URL
  let keyFile: String
  private let folder: URL
  private let media: DemoMediaServer
  private let sandbox: DemoProcess
  private let server: DemoProcess
  private let client: ServerClient
  /// A client with the device key, like that of an app's extension.
  private let phone: ServerClient
  /// The app that uses MartletKit.
  let app: DemoApp
  /// The key that proves the users of that app.
  private let identityKey: any ES256PrivateKey

  private static let bundleID = "com.example.skyline"
  private static let team = "MARTLETDEM"
  private static let keyID = "DEMOKEY001"

  init(folder: URL, _ console: Console) async throws {
    self.folder = folder
    try Self.empty(folder)
    serverData = folder.appending(path: "server", directoryHint: .isDirectory)
    let providerKey = folder.appending(path: "AuthKey_\(Self.keyID).p8")
    try Self.write(secret: OpenSSLCrypto.makeP256KeyPEM(), to: providerKey)
    media = try DemoMediaServer(
      folder: folder, uploads: serverData.appending(path: "media", directoryHint: .isDirectory))
    mediaURLs = media.urls
    var started: [DemoProcess] = []
    do {
      let (host, port) = ("127.0.0.1", 0)
      let sandbox = try DemoProcess([
        "apns-sandbox", "--listen", "\(host):\(port)", "--data", Self.path(folder, "sandbox"),
        "--provider-key", "\(Self.team):\(Self.keyID):\(providerKey.path(percentEncoded: false))",
        "--journal", Self.path(folder, "journal.jsonl"), "--forward", Self.path(folder, "phones"),
        "--media-ca", media.authorityFile,
      ])
      self.sandbox = sandbox
      started.append(sandbox)
      let apns = try await sandbox.line(after: "listening on ")
      let authority = try await sandbox.line(after: "ca: ")
      server = try DemoProcess([
        "serve", "--listen", "\(host):\(port)", "--data", serverData.path(percentEncoded: false),
        "--apns", apns, "--apns-ca", authority, "--log-level", "warning",
      ])
      started.append(server)
      serverBase = try await server.line(after: "listening on ")
      let app = try await DemoProcess.output([
        "apps", "create", "--data", serverData.path(percentEncoded: false), "--bundle-id",
        Self.bundleID, "--team-id", Self.team, "--key-id", Self.keyID, "--key-file",
        providerKey.path(percentEncoded: false), "--name", "Skyline", "--json",
      ])
      let created = try JSONValue(parsing: app)
      let keys = created["keys"]
      guard let key = keys?["push"]?.string, let device = keys?["device"]?.string,
        let admin = keys?["admin"]?.string
      else { throw CommandFailure("martlet apps create printed no keys") }
      let file = folder.appending(path: "admin.key")
      try Self.write(secret: admin, to: file)
      keyFile = file.path(percentEncoded: false)
      client = ServerClient(base: serverBase, key: key)
      phone = ServerClient(base: serverBase, key: device)
      guard let server = URL(string: serverBase), let id = created["id"]?.string else {
        throw CommandFailure("martlet apps create printed no app")
      }
      self.app = DemoApp(
        server: server, key: device,
        folder: folder.appending(path: "app-group", directoryHint: .isDirectory),
        bundleID: Self.bundleID)
      let pem = OpenSSLCrypto.makeP256KeyPEM()
      identityKey = try OpenSSLCrypto().privateKey(pem: pem)
      let publicKey = folder.appending(path: "identity.pub.pem")
      try Data(OpenSSLCrypto.publicKeyPEM(ofPrivateKeyPEM: pem).utf8).write(to: publicKey)
      _ = try await DemoProcess.output([
        "identity-keys", "add", "--app", id, "--data", serverData.path(percentEncoded: false),
        publicKey.path(percentEncoded: false),
      ])
    } catch {
      // Started processes must not outlive the failure.
      for process in started.reversed() { await process.stop() }
      await media.stop()
      throw error
    }
    console.print("media     \(media.base)")
    console.print("sandbox   journal in \(Self.path(folder, "journal.jsonl"))")
    console.print("server    \(serverBase)")
    console.print("")
  }

  func stop() async {
    await server.stop()
    await sandbox.stop()
    await media.stop()
  }

  /// Registers a device; if it has a user, the app with MartletKit does so.
  func register(_ device: DemoScript.Device) async throws {
    if let user = device.userID {
      return try await app.register(
        token: Data(device.tokenBytes), user: user, identityKey: identityKey)
    }
    _ = try await client.request(
      "PUT", "/v6/devices/\(device.id)", body: device.registration.serialized())
  }

  /// - Returns: The notification's id.
  func post(_ request: DemoScript.Request) async throws -> String {
    let answer = try await client.request("POST", request.path, body: request.body.serialized())
    guard let id = answer["notification"]?["id"]?.string else {
      throw CommandFailure("the server's answer has no notification id")
    }
    return id
  }

  /// Posts a message to inboxes.
  func post(message: JSONValue) async throws {
    _ = try await client.request("POST", "/v6/messages", body: message.serialized())
  }

  /// - Returns: The number of times that the notification was opened.
  func openings(of id: String) async throws -> Int64 {
    let answer = try await client.request("GET", "/v6/notifications/\(id)")
    return answer["counts"]?["opened"]?.integer ?? 0
  }

  /// - Returns: The counts as text.
  func completion(of id: String) async throws -> String {
    let notification = try await poll("the send to complete") {
      let answer = try await client.request("GET", "/v6/notifications/\(id)")
      return answer["state"] == "complete" ? answer : nil
    }
    let counts = notification["counts"]
    return "\(counts?["sent"]?.integer ?? 0) of \(counts?["targeted"]?.integer ?? 0) sent"
  }

  /// The result file of a simulated phone.
  func shown(on token: String) async throws -> JSONValue {
    let phones = folder.appending(path: "phones", directoryHint: .isDirectory)
    return try await poll("a phone to show the push") {
      let names = try FileManager.default.contentsOfDirectory(atPath: phones.path)
      let name = names.first { $0.hasPrefix(token.prefix(16)) && $0.hasSuffix(".json") }
      return try name.map { try JSONValue(parsing: Data(contentsOf: phones.appending(path: $0))) }
    }
  }

  /// Posts the receipts of a notification, like an app's extension.
  func report(
    _ shown: JSONValue, of notification: String, device: DemoScript.Device
  ) async throws {
    let credentials = device.userID == nil ? nil : app.credentials
    let device = credentials?.id ?? device.id
    let attached = !(shown["attachments"]?.array ?? []).isEmpty
    let seconds = shown["extension"]?["elapsedSeconds"]?.number ?? 0
    let now = Date().formatted(.iso8601)
    let receipts = ["received", "displayed"].map { event in
      var receipt: [String: JSONValue] = [
        "id": .string("\(notification)-\(device)-\(event)"), "event": .string(event),
        "notification_id": .string(notification), "device_id": .string(device), "at": .string(now),
      ]
      if event == "displayed" {
        receipt["media"] = attached ? "attached" : "failed"
        receipt["duration_ms"] = .integer(Int64(seconds * 1000))
      }
      return JSONValue.object(receipt)
    }
    let body: JSONValue = ["receipts": .array(receipts)]
    _ = try await phone.request(
      "POST", "/v6/receipts",
      headers: credentials.map { ["Martlet-Device-Secret": $0.secret] } ?? [:],
      body: body.serialized())
  }

  /// Draws an inbox message with the picture that the app loads for it.
  ///
  /// - Returns: The path of the PNG file.
  /// - Throws: ``CommandFailure`` if the picture cannot be loaded.
  func card(of message: InboxMessage) async throws -> String {
    var payload: [String: JSONValue] = [
      "aps": [
        "alert": ["title": .string(message.title), "body": .string(message.text ?? "")],
        "mutable-content": 1,
      ]
    ]
    payload["image_url"] = message.imageURL.map { .string($0.absoluteString) }
    let file = folder.appending(path: "inbox.json")
    try Data(JSONValue.object(payload).serialized()).write(to: file)
    let card = Self.path(folder, "inbox.png")
    let output = try await DemoProcess.output([
      "simulate", file.path(percentEncoded: false), "--online", "--media-ca", media.authorityFile,
      "--render", card, "--json",
    ])
    guard try JSONValue(parsing: output)["attachments"]?.array?.isEmpty == false else {
      throw CommandFailure("the picture of the inbox's message cannot be loaded")
    }
    return card
  }

  /// The number of pushes to a token in the sandbox's journal.
  func pushes(to token: String) throws -> Int {
    let file = folder.appending(path: "journal.jsonl")
    let (requests, damaged) = SandboxJournal.read(try Data(contentsOf: file))
    if let line = damaged.first {
      throw CommandFailure(
        "\(file.path()), line \(line): this is not a request; run the demo again")
    }
    return requests.count { $0["token"]?.string == token }
  }

  private func poll<Value>(
    _ what: String, _ attempt: () async throws -> Value?
  ) async throws -> Value {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if let value = try await attempt() { return value }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw CommandFailure("waited 60 s for \(what); see the logs in \(folder.path)")
  }

  /// Empties the folder, which must be empty or belong to an earlier demo.
  static func empty(_ folder: URL) throws {
    let mark = folder.appending(path: ".martlet-demo")
    let files = FileManager.default
    let path = folder.path
    do {
      var isFolder: ObjCBool = false
      if files.fileExists(atPath: path, isDirectory: &isFolder) {
        guard isFolder.boolValue else {
          throw CommandFailure("\(path) is not a folder; name another one with --data")
        }
        let contents = try files.contentsOfDirectory(atPath: path)
        guard contents.isEmpty || contents.contains(mark.lastPathComponent) else {
          throw CommandFailure(
            "\(path) has files that are not a demo's; name another folder with --data")
        }
        try files.removeItem(at: folder)
      }
      try files.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: mark)
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw CommandFailure(
        "cannot write \(path): name a folder that can be written with --data", cause: error)
    }
  }

  private static func path(_ folder: URL, _ name: String) -> String {
    folder.appending(path: name).path(percentEncoded: false)
  }

  private static func write(secret: String, to file: URL) throws {
    let isMade = FileManager.default.createFile(
      atPath: file.path(percentEncoded: false), contents: Data(secret.utf8),
      attributes: [.posixPermissions: 0o600])
    guard isMade else { throw CommandFailure("cannot write \(file.path): is the disk full?") }
  }
}
