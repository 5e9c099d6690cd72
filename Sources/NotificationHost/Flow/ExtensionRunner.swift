/// Runs the app's service extension, one notification after the other: in this process, or elsewhere.
///
/// The flow around it — the queue, the time, the outcome — is the host's, and the same for all.
protocol ExtensionRunning: Sendable {
  /// Starts the extension for one notification, without waiting for it.
  ///
  /// `events` may be called from any thread, also before this returns: at most one `launched`, then at
  /// most one `replied`, each further call of the handler as `repliedAgain`, and `ended` where there
  /// will be no reply. A run that has replied, or was killed, is over for the host.
  func start(
    _ request: RequestCopy, events: @escaping @Sendable (ExtensionEvent) -> Void
  ) -> any RunningExtension
}

/// An extension at work on one notification.
protocol RunningExtension: Sendable {
  /// Calls `serviceExtensionTimeWillExpire`, on another thread than `didReceive` has; at most once.
  func warn()
  /// Ends it without asking; what it replies from now on is not taken.
  func kill()
  /// The most memory it has used so far beyond its idle memory; `nil` in the host's own process.
  var peakMemoryBytes: Int? { get }
}

/// What an extension tells the host.
enum ExtensionEvent: Sendable {
  /// The instance is there, and `didReceive` is called next.
  case launched
  /// The content handler was called: the content as it was then, its temporary files moved away.
  case replied(ContentCopy)
  /// The content handler was called once more, or too late.
  case repliedAgain
  /// It ended of itself, and without a reply.
  case ended(ExtensionEnd)
}

/// Why an extension ended without a reply.
struct ExtensionEnd: Hashable, Sendable {
  /// The rule by which the system goes on without it.
  var rule: HostRule
  /// What happened, as the report says it: "the extension …".
  var message: String
}
