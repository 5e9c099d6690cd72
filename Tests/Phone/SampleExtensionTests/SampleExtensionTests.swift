import Foundation
import NotificationHost
import NotificationHostTesting
import SampleExtensions
import TestSupport
import Testing

/// The table of extensions and networks, in the process of the tests and in a process each.
@Suite("Extensions as apps have them", .serialized, .timeLimit(.minutes(20)))
struct SampleExtensionTests {
  /// The extensions and networks that run in a process each.
  ///
  /// A process takes longer to start than an extension in this process to run, and what differs between the two is not
  /// the network. So these are three networks, and one for an extension that uses none; in `make verify` all networks.
  private static let processCells: [(SampleRow, Network)] = {
    let networks: [Network] = Tier.isWhole ? Network.allCases : [.ok, .notFound, .slow]
    return SampleTable.rows.flatMap { row in
      (row.usesNetwork ? networks : [.ok]).map { (row, $0) }
    }
  }()

  /// How often each extension replies in the last test.
  private static let rounds = Tier.sample(5, of: 100)

  @Test("the table has every extension once")
  func completeTable() {
    #expect(SampleTable.rows.map(\.name).sorted() == SampleCatalog.names)
  }

  @Test(
    "in the host's process, a phone shows what the table says",
    arguments: SampleTable.rows.filter { !$0.needsProcess }, Network.allCases)
  func inProcess(row: SampleRow, network: Network) async throws {
    let report = try await SamplePhone(row, network, isProcess: false).deliver()
    #expect(Expected(report) == row[network], "\(report)")
  }

  @Test(
    "in a process of its own, a phone shows what the table says",
    arguments: processCells)
  func asProcess(row: SampleRow, network: Network) async throws {
    let report = try await SamplePhone(row, network, isProcess: true).deliver()
    #expect(Expected(report) == row[network], "\(report)")
  }

  @Test(
    "an extension replies the same every time",
    arguments: (SampleTable.replies.prefix(17) + SampleTable.sessions).map(\.name))
  func repeated(name: String) async throws {
    let row = try #require(SampleTable.rows.first { $0.name == name })
    var wrong: [String] = []
    for _ in 0..<Self.rounds {
      let report = try await SamplePhone(row, .ok, isProcess: false).deliver()
      if Expected(report) != row[.ok] { wrong.append(report.description) }
    }
    print("\(name): \(wrong.count) wrong of \(Self.rounds)")
    #expect(wrong == [])
  }
}

/// A phone with one extension, its bundle, and the files that the app has stored in the app group.
private final class SamplePhone {
  private let folder = TemporaryFolder()
  private let phone: TestPhone

  init(_ row: SampleRow, _ network: Network, isProcess: Bool) throws {
    let bundle = folder.url.appending(path: "Service.appex")
    let group = folder.url.appending(path: "Group")
    for path in ["Service.appex", "Group/avatars", "Group/Library/Preferences"] {
      try FileManager.default.createDirectory(
        at: folder.url.appending(path: path), withIntermediateDirectories: true)
    }
    for path in ["Service.appex/placeholder.png", "Group/avatars/ann.png"] {
      try Data(Network.png).write(to: folder.url.appending(path: path))
    }
    let info = ["CFBundleIdentifier": "com.example.app.service", "Server": "cdn.example"]
    try Self.list(info).write(to: bundle.appending(path: "Info.plist"))
    let defaults: [String: Any] = ["key": "secret", "badge": 4]
    try Self.list(defaults)
      .write(to: group.appending(path: "Library/Preferences/group.com.example.app.plist"))
    var behavior = HostBehavior()
    row.change(&behavior)
    let program = try #require(
      Bundle.main.executableURL?.deletingLastPathComponent()
        .appending(path: "SampleExtensionProcess"))
    let name = row.name
    phone = try TestPhone(network.responses, behavior: behavior) { app in
      if isProcess { app.process = ExtensionProcess(executable: program, arguments: [name]) }
      (app.appGroup, app.appGroupIdentifier) = (group, "group.com.example.app")
      app.extensionBundle = bundle
    } makeExtension: {
      // The table has only names of the catalog.
      SampleCatalog.make(name)!
    }
  }

  func deliver() async throws -> DeliveryReport { try await phone.deliver(Self.payload) }

  private static func list(_ values: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
  }

  private static let payload: String = {
    let key = Array("secret".utf8)
    let encrypted = Data("Meet at noon".utf8.enumerated().map { $1 ^ key[$0 % key.count] })
    return """
      {"aps": {"alert": {"title": "Hello", "body": "Original text"}, "mutable-content": 1},
        "image": "https://cdn.example/picture.png", "second": "https://second.example/second.png",
        "message": "https://api.example/message.json", "date": 1700000000,
        "data": "\(Data(Network.png).base64EncodedString())",
        "base64": "\(Data("Lunch?".utf8).base64EncodedString())",
        "encrypted": "\(encrypted.base64EncodedString())",
        "chat": "{\\"sender\\": \\"Ann\\", \\"message\\": \\"Lunch?\\"}",
        "markup": "<b>Lunch</b> at noon"}
      """
  }()
}
