/// A fault that is planted to see that the simulation finds it.
enum PlantedFault: String, CaseIterable, Sendable {
  /// The disk says that it has synced, and has not.
  case diskIgnoresSyncs = "disk-ignores-syncs"
  /// One of twenty writes is answered, and not made.
  case writeIsLost = "write-is-lost"
  /// A write is answered before it is on the disk.
  case answersAreNotSynced = "answers-are-not-synced"
  /// A push that is sent again has another `apns-id`.
  case repeatsHaveNewID = "repeats-have-new-id"
  /// A push without an answer counts as sent.
  case lostPushCountsAsSent = "lost-push-counts-as-sent"
  /// A push without an answer counts as never sent.
  case lostPushCountsAsNeverSent = "lost-push-counts-as-never-sent"
  /// Delivery is not woken by a new send.
  case wakeupIsLost = "wakeup-is-lost"
  /// The order to cancel is answered, and not followed.
  case cancelIsForgotten = "cancel-is-forgotten"
  /// The order to pause is answered, and not followed.
  case pauseIsForgotten = "pause-is-forgotten"
  /// Pushes do not use up the frequency caps.
  case capsAreNotCounted = "caps-are-not-counted"
  /// The quiet hours of a send are not stored.
  case quietHoursAreForgotten = "quiet-hours-are-forgotten"
  /// The time of a scheduled send is not stored.
  case scheduleIsForgotten = "schedule-is-forgotten"
  /// Changes of devices do not come to the index of audiences.
  case audienceIsOld = "audience-is-old"
  /// A call of a webhook that came to nobody counts as delivered.
  case failedCallCountsAsDelivered = "failed-call-counts-as-delivered"
  /// A node that ends leaves a task behind.
  case taskIsLeft = "task-is-left"

  /// The promises that the fault breaks, of which a world finds one.
  var broken: Set<Promise> {
    switch self {
    case .diskIgnoresSyncs, .answersAreNotSynced, .writeIsLost:
      [
        .answered, .outcome, .audience, .canceled, .paused, .audit, .statistics, .receipts,
        .webhooks,
      ]
    case .capsAreNotCounted, .lostPushCountsAsNeverSent: [.caps]
    case .repeatsHaveNewID: [.sameID]
    case .lostPushCountsAsSent: [.outcome]
    case .wakeupIsLost: [.end]
    case .cancelIsForgotten: [.canceled, .audit]
    case .pauseIsForgotten: [.paused, .audit]
    case .quietHoursAreForgotten: [.quiet]
    case .scheduleIsForgotten: [.schedule]
    case .audienceIsOld: [.audience, .outcome]
    case .failedCallCountsAsDelivered: [.webhooks]
    case .taskIsLeft: [.tasks]
    }
  }

  /// Whether the store has the fault.
  var isOfStore: Bool {
    switch self {
    case .writeIsLost, .answersAreNotSynced, .cancelIsForgotten, .pauseIsForgotten,
      .capsAreNotCounted, .quietHoursAreForgotten, .scheduleIsForgotten, .audienceIsOld:
      true
    case .diskIgnoresSyncs, .repeatsHaveNewID, .lostPushCountsAsSent, .lostPushCountsAsNeverSent,
      .wakeupIsLost, .failedCallCountsAsDelivered, .taskIsLeft:
      false
    }
  }
}
