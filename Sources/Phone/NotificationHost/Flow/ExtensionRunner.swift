/// A type that runs the app's service extension, in the host's process or in another one.
///
/// The host controls the queue, the time limit and the outcome in the same way for all runners.
protocol ExtensionRunner: Sendable {
  /// Starts the extension for one notification and returns immediately. `record` receives its requests, and what it
  /// starts belongs to `scope`.
  ///
  /// `events` may be called on any thread, even before this method returns. It gets at most one `launched`, then at most
  /// one `replied`, `repliedAgain` for each further call of the handler, and `ended` if no reply will come. A run that
  /// has replied or was killed is over for the host.
  func start(
    _ request: RequestCopy, record: RunRecord, scope: RunScope,
    events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension
}

/// An extension that is processing one notification.
protocol RunningExtension: Sendable {
  /// Calls `serviceExtensionTimeWillExpire` on another thread than that of `didReceive`; called at most once.
  func warn()
  /// Ends the extension, whose scope has ended, and calls a closure when nothing of it runs any more. Later replies
  /// are ignored. Called once.
  func end(_ ended: @escaping @Sendable () -> Void)
  /// The peak memory in bytes beyond the idle memory; `nil` in the host's own process.
  var peakMemoryBytes: Int? { get }
}

/// An event that an extension reports to the host.
enum ExtensionEvent: Sendable {
  /// The instance was created, and `didReceive` is called next.
  case launched
  /// The content handler was called with this content, whose temporary files were moved.
  case replied(ContentCopy)
  /// The content handler was called again, or too late.
  case repliedAgain
  /// The extension has ended by itself and without a reply.
  case ended(ExtensionEnd)
}

/// The reason why an extension ended without a reply.
struct ExtensionEnd: Hashable, Sendable {
  /// The rule that lets the system continue without the extension.
  var rule: HostRule
  /// A description for the report, which starts with "the extension".
  var message: String
}
