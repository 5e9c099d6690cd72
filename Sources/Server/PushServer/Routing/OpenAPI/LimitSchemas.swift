import PushModel

/// The schemas of the limits of an app, which campaigns and notifications obey.
enum LimitSchemas {
  static let all: [String: Schema] = [
    "NotificationLimits": .closed([
      "quiet": quiet("ignore").optional, "caps": caps("ignore").optional,
      "counts": counts.optional,
    ]),
    "NewLimits": .closed([
      "holdout": .closed([
        "percent": .integer(1...15).described("the share of people that campaigns leave out"),
        "redraw": .boolean.described("whether other people are chosen than before").optional,
      ]).optional,
      "quiet": Schema.named("NewQuietHours").optional,
      "caps": .array(.named("NewFrequencyCap"), 0...FrequencyCap.ruleLimit).optional,
      "approval": approval.described(
        "required: a campaign starts only once it is approved; every_send: nothing else is sent, and"
          + " two people approve; without it, as before"
      ).optional,
      "version": .string(1...64).described(
        "the version of the limits that were read: others are not replaced, but answered with 409"
      ).optional,
    ]),
    "NewQuietHours": .closed([
      "from": time.described("when the hours begin, by the clock of each device"),
      "to": time.described("when they end, on the next day where that is before from"),
      "else": .oneOf(QuietHours.Otherwise.allCases.map(\.rawValue)).described(
        "whether a push waits for their end, the default, or is dropped"
      ).optional,
    ]).described("a device without a time zone has the clock of UTC"),
    "NewFrequencyCap": .closed([
      "most": .integer(1...Int64(FrequencyCap.mostLimit)).described(
        "how many pushes a device gets"),
      "within": .string(
        3...32, pattern: "^P([0-9]+W)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9]+S)?)?$"
      ).described("in which time, up to any moment: PT1H, P7D; 30 days at most"),
    ]),
    "FrequencyCap": .object(["most": .integer, "within": .string]),
    "QuietHours": .object([
      "from": .string, "to": .string,
      "else": .oneOf(QuietHours.Otherwise.allCases.map(\.rawValue)),
    ]),
  ]

  /// The sends that need an approval.
  static let approval = Schema.oneOf(AppLimits.Approval.allCases.map(\.rawValue))

  /// The choice of whether a send or a campaign obeys the app's frequency caps; `absent` describes the default.
  static func caps(_ absent: String) -> Schema {
    .oneOf(["obey", "ignore"]).described("whether the app's caps hold; default \(absent)")
  }

  static let counts = Schema.boolean.described(
    "whether its pushes count for caps; default whether it obeys them")

  static let cappedCount = Schema.count.described("those of rejected that were held back by caps")

  /// The quiet hours of a send or a campaign; `absent` describes the default.
  static func quiet(_ absent: String) -> Schema {
    .one(of: [.oneOf(["obey", "ignore"]), .named("NewQuietHours")]).described(
      "whether the app's quiet hours hold, or hours in their place; default \(absent). The interruption"
        + " levels time-sensitive and critical have none")
  }

  /// The number of a notification's devices that were held back by quiet hours.
  static let quietCount = Schema.count.described(
    "those of rejected that were held back by quiet hours")

  static let estimatedQuiet = Schema.count.described(
    "the devices whose push would be due in their quiet hours, so that it waits or is not sent")
  static let estimatedCapped = Schema.count.described(
    "the devices that have had as many pushes as a cap allows")

  private static let time = Schema.string(5...5, pattern: "^([01][0-9]|2[0-3]):[0-5][0-9]$")
}
