import Foundation
import TestSupport
import Testing

/// What the server half takes from the system: clocks, random numbers, threads and sleeps.
///
/// Each is a place at which two runs of a simulated world could differ. The kept list makes a new one be seen.
@Suite("What the server half takes from the system")
struct SystemInputsTests {
  private static let list = "simulation/system-inputs.txt"
  private static let rooms = [
    "Liquid", "Markup", "PushModel", "PushServer", "PushStore", "UserTokens",
  ]
  /// The texts by which a use is found.
  private static let inputs = [
    "ContinuousClock", "SuspendingClock", "Date()", "clock_gettime", "Task.sleep", "Thread.",
    "Thread(", "DispatchQueue(", "WorkQueue(", "MainActor", "Task.detached", "UUID()", ".random(",
    "randomBytes", "SystemRandomNumberGenerator", "randomElement()", "shuffled()", ".hashValue",
    "ObjectIdentifier(", "ProcessInfo", "getenv",
  ]

  /// The uses, a line for each file and input, with their number.
  private static func uses() throws -> [String] {
    try rooms.flatMap { room -> [String] in
      let folder = Repository.url("Sources/Server/\(room)")
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      let urls = (files?.allObjects ?? []).compactMap { $0 as? URL }
        .filter { $0.pathExtension == "swift" }
      return try urls.flatMap { url -> [String] in
        let code = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
          .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return inputs.compactMap { input in
          let count = code.ranges(of: input).count
          return count > 0 ? "\(room)/\(url.lastPathComponent) \(input) \(count)" : nil
        }
      }
    }.sorted()
  }

  @Test("is what the kept list has; RECORD_DOCS=1 keeps another one")
  func list() throws {
    let found = try Self.uses()
    #expect(found.count > 20)
    if ProcessInfo.processInfo.environment["RECORD_DOCS"] != nil {
      let text = (found + [""]).joined(separator: "\n")
      try Data(text.utf8).write(to: Fixtures.url(Self.list))
    }
    let kept = String(decoding: try Fixtures.bytes(Self.list), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    #expect(Set(found).subtracting(kept).sorted() == [], "uses that the list does not have")
    #expect(Set(kept).subtracting(found).sorted() == [], "uses that only the list has")
  }
}
