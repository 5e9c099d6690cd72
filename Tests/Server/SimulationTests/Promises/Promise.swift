import Synchronization

/// A promise of the documents that a simulated world checks.
enum Promise: String, CaseIterable, Sendable {
  /// What was answered with 2xx is there after a kill and after a power failure (docs/server/reliability.md).
  case answered
  /// Each device of a send has one outcome, which is what Apple answered (docs/server/api.md).
  case outcome
  /// A push that is sent again has the same `apns-id` and collapse id (docs/server/reliability.md).
  case sameID = "same-id"
  /// A push has the text of its notification (docs/server/api.md).
  case content
  /// A paused send sends nothing (docs/server/api.md).
  case paused
  /// A canceled send sends nothing more (docs/server/api.md).
  case canceled
  /// A scheduled send sends nothing before its time (docs/server/api.md).
  case schedule
  /// Only devices of the audience get a push, by the token that they have (docs/server/api.md).
  case audience
  /// A device gets no more pushes than a frequency cap allows (docs/server/campaigns.md).
  case caps
  /// Nothing is sent in quiet hours (docs/server/campaigns.md).
  case quiet
  /// A person gets one variant of a campaign, the same on all devices (docs/server/campaigns.md).
  case variants
  /// Whom a campaign leaves out gets nothing of it: the control, the holdout, and those with caps and quiet hours
  /// (docs/server/campaigns.md).
  case control
  /// Each device that a run has selected is counted in one part of it (docs/server/campaigns.md).
  case division
  /// A person gets each message of a triggered campaign once, after its wait, and not after an exit
  /// (docs/server/campaigns.md).
  case steps
  /// What a person has done is in the audit log (docs/server/operations.md).
  case audit
  /// The statistics of a send and of the app count each outcome once (docs/server/api.md).
  case statistics
  /// A device counts once as one that showed or opened a push, however often it says so (docs/server/api.md).
  case receipts
  /// A webhook gets a call about each event, which has the same id if it comes again (docs/server/api.md).
  case webhooks
  /// Every send and every campaign ends once nothing fails any more.
  case end
  /// A node that ends leaves no task, timer or work behind.
  case tasks
}

/// The promises that a world has broken.
final class Findings: Sendable {
  private let found = Mutex<[(promise: Promise, text: String)]>([])
  private static let limit = 20

  func add(_ promise: Promise, _ text: String) {
    found.withLock { if $0.count < Self.limit { $0.append((promise, text)) } }
  }

  var promises: [Promise] { found.withLock { $0.map(\.promise) } }
  var lines: [String] { found.withLock { $0.map { "\($0.promise.rawValue): \($0.text)" } } }
}
