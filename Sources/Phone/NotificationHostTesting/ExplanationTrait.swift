#if canImport(Testing)  // A build with --static-swift-stdlib has no Testing.
  public import Testing

  /// A trait that attaches to a failed test what its phones did.
  ///
  /// Add the trait `explained` to a test or a suite. If anything fails in the test, also a plain `#expect`, the test gets
  /// attachments for each push of each ``TestPhone`` that it made. They are the payload, the trace, the card as a PNG, the
  /// requests with their responses, and the files that the notification shows. Each phone has its timeline. A test that
  /// passes gets none.
  ///
  /// If the test has a time limit and hangs, a warning names the work that is open at the end of the limit: the
  /// extension that has not called its content handler, and each request that has not ended.
  ///
  /// ```swift
  /// import NotificationHost
  /// import NotificationHostTesting
  /// import RichNotifications
  /// import Testing
  ///
  /// final class NotificationService: RichNotificationService {}
  ///
  /// @Test("the picture is attached", .explained, .timeLimit(.minutes(1)))
  /// func picture() async throws {
  ///   let picture = ScriptedNetwork.Response(body: .onePixelPNG)
  ///   let phone = try TestPhone(["https://cdn.example/a.png": picture]) { NotificationService() }
  ///   let report = try await phone.deliver(
  ///     #"{"aps": {"alert": "Hello", "mutable-content": 1}, "image_url": "https://cdn.example/a.png"}"#
  ///   )
  ///   #expect(report.requests.map(\.status) == [200])
  /// }
  /// ```
  ///
  /// `swift test --attachments-path FOLDER` saves the attachments in an existing folder.
  public struct ExplanationTrait: TestTrait, SuiteTrait, TestScoping {
    /// Whether the tests of a suite's suites have the trait too, which is so.
    public var isRecursive: Bool { true }

    /// Runs a test, and attaches what its phones did if it fails.
    ///
    /// Swift Testing calls this for each case of a test.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The case of the test.
    ///   - function: Runs the case.
    /// - Throws: The error that the test throws.
    public func provideScope(
      for test: Test, testCase: Test.Case?,
      performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      // A suite and its test may both have the trait.
      guard ExplainedTest.current == nil else { return try await function() }
      let explained = ExplainedTest()
      let issues: IssueHandlingTrait = .compactMapIssues { issue in
        // An issue of a thread that belongs to no test reaches the handlers of all tests.
        if issue.isFailure, Test.current?.id == test.id { explained.fail() }
        return issue
      }
      defer { explained.attach() }
      do {
        try await issues.provideScope(for: test, testCase: testCase) {
          try await ExplainedTest.$current.withValue(explained) {
            try await withTaskCancellationHandler(operation: function) {
              Self.warn(of: explained, in: test)
            }
          }
        }
      } catch {
        explained.fail()
        throw error
      }
    }

    /// Warns of the open work of a test that is canceled, as at the end of its time limit.
    private static func warn(of explained: ExplainedTest, in test: Test) {
      explained.fail()
      let sentence = OpenWork.sentence(of: explained.phones)
      Issue.record("\(sentence)", severity: .warning, sourceLocation: test.sourceLocation)
    }
  }

  extension Trait where Self == ExplanationTrait {
    /// A trait that attaches to a failed test what its phones did.
    public static var explained: Self { Self() }
  }
#endif
