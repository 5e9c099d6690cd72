extension DeliveryFacts.Code {
  /// Advice for a notification that has not reached the device for this reason; `nil` if it went as planned.
  var advice: String? {
    switch self {
    case .quiet: FailureAdvice.text("Quiet")
    case .capped: "What must arrive can ignore the caps, with limits.caps set to ignore."
    case .paused: "Read the reason, mend it, and resume the notification."
    case .canceled: "Send it again."
    case .expired: "Give the notification a later expires_at, or a higher rate."
    case .failed: "Mend the payload, and send it again."
    case .waiting: "Wait; if the time has passed, check that a server runs and reaches APNs."
    case .erased: "The data of the device was erased, so it takes no updates and no pushes."
    case .uninstalled: "The person has to install the app again, and open it."
    case .registeredLater: "Send it again, or use a campaign that people enter later."
    case .notInAudience: "Compare the device's values with the filters."
    case .optedOut: "Let the app ask again in its own words, and link to the system's Settings."
    case .noToken: FailureAdvice.text("NoToken")
    case .otherPlatform: "Pushes go to iOS devices only."
    case .notSelected: "Its values have changed since. Send the notification again."
    case .noWinner: "Decide the test, or send the variant that you choose."
    case .waitsForWinner, .planned: "Wait for the time that the step names."
    case .skipped: "Read the reason in the report of the run."
    case .missed: "Let a server run without a break."
    case .delivered, .accepted, .published, .unpublished, .refused, .control, .heldOut, .notStored:
      nil
    }
  }
}
