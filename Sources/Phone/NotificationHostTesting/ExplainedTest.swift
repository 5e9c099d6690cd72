#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  import Foundation
  import NotificationHost
  import PhoneCards
  import Synchronization
  import Testing

  /// One run of a test with the trait ``ExplanationTrait``, and the phones that it made.
  final class ExplainedTest: Sendable {
    /// The test that runs in this task; `nil` without the trait.
    @TaskLocal static var current: ExplainedTest?
    /// The most pushes of a test that are attached, which are the last ones.
    static let maximumPushes = 10

    private struct State {
      var phones: [TestPhone] = []
      /// The reports whose expectation failed.
      var reports: [DeliveryReport] = []
      var hasFailed = false
    }

    private let state = Mutex(State())

    var phones: [TestPhone] { state.withLock { $0.phones } }

    func add(_ phone: TestPhone) { state.withLock { $0.phones.append(phone) } }

    /// Notes a report whose expectation failed, since it may be of a phone that is not a ``TestPhone``.
    func add(_ report: DeliveryReport) { state.withLock { $0.reports.append(report) } }

    func fail() { state.withLock { $0.hasFailed = true } }

    /// Attaches what the phones did, if the test has failed.
    func attach() {
      let (phones, reports, hasFailed) = state.withLock { ($0.phones, $0.reports, $0.hasFailed) }
      guard hasFailed else { return }
      let run = AttachmentName.next()
      var parts: [(name: String, evidence: PushEvidence)] = []
      for (index, phone) in phones.enumerated() {
        let name = phones.count > 1 ? "\(run)-phone-\(index + 1)" : run
        let pushes = phone.journal.pushes
        for (index, push) in pushes.enumerated() {
          parts.append((pushes.count > 1 ? "\(name)-push-\(index + 1)" : name, PushEvidence(push)))
        }
        Attachment.record(phone.timeline + "\n", named: "\(name)-timeline.txt")
      }
      let pushes = phones.flatMap(\.journal.pushes)
      let others = reports.filter { report in !pushes.contains { $0 === report.push } }
      for (index, report) in others.enumerated() {
        parts.append(("\(run)-report-\(index + 1)", PushEvidence(report)))
      }
      for part in parts.suffix(Self.maximumPushes) { part.evidence.attach(named: part.name) }
    }
  }

  /// The names of a failed test's attachments, which `swift test` puts into one folder with those of other tests.
  enum AttachmentName {
    private static let numbers = Mutex<[String: Int]>([:])

    /// The beginning of the names of the next failure of the test that runs, such as `picture-1`.
    static func next() -> String {
      let name = Test.current.map { Self.name(of: $0.name) } ?? "test"
      let number = numbers.withLock { numbers in
        numbers[name, default: 0] += 1
        return numbers[name, default: 0]
      }
      return "\(name)-\(number)"
    }

    /// The name of a test function without its parameters, as a part of the name of a file.
    static func name(of function: String) -> String {
      let characters = function.prefix { $0 != "(" }.prefix(60).map { character in
        character.isLetter || character.isNumber || character == "_" ? character : "-"
      }
      return characters.isEmpty ? "test" : String(characters)
    }
  }

  extension PushEvidence {
    /// Attaches the files to the test that runs.
    ///
    /// - Parameters:
    ///   - name: The beginning of their names.
    ///   - sourceLocation: The place of the failure.
    func attach(named name: String, sourceLocation: SourceLocation = #_sourceLocation) {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
      for file in files(drawing: CardProcess.found(path: path)) {
        Attachment.record(
          file.bytes, named: "\(name)-\(file.name)", sourceLocation: sourceLocation)
      }
    }
  }
#endif
