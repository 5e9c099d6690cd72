extension PushType {
  /// The requirements of APNs for requests of one push type.
  ///
  /// The APNs client checks each push against these values before it sends it, and `martlet lint`
  /// reports violations. Each property names the page of Apple's that it follows.
  public struct Requirements: Hashable, Sendable {
    /// The suffix that `apns-topic` has after the bundle ID; empty if the topic is the bundle ID.
    ///
    /// Source: "Sending notification requests to APNs", the table of `apns-push-type`.
    public var topicSuffix = ""

    /// The values that `apns-priority` may have: 10 sends at once, 5 considers the device's power, 1 never
    /// wakes the device.
    ///
    /// Source: "Sending notification requests to APNs", `apns-priority` and the row of `background` ("Always
    /// use priority 5. Using priority 10 is an error."); for `liveactivity` "Starting and updating Live
    /// Activities with ActivityKit push notifications", which names 5 and 10.
    public var priorities = [10, 5, 1]

    /// The largest payload in bytes.
    ///
    /// Source: "Generating a remote notification": 5120 for VoIP, 4096 for every other type.
    public var payloadLimit = 4096

    /// Whether the request needs a provider token, because APNs takes no certificate for this type.
    ///
    /// Source: for `location` its row in "Sending notification requests to APNs", for `liveactivity` "Starting
    /// and updating Live Activities with ActivityKit push notifications".
    public var needsProviderToken = false

    /// Whether the request must carry `apns-priority`: without it APNs assumes 10, which this type does
    /// not take.
    ///
    /// Source: "Sending notification requests to APNs", `apns-priority`.
    public var needsPriority: Bool { !priorities.contains(10) }
  }

  /// The requirements of APNs for requests of this type.
  ///
  /// A type that ``all`` does not list has the requirements that hold for every type.
  public var requirements: Requirements {
    // Most pushes are alerts: they need no look-up.
    self == .alert ? Self.common : Self.table[self] ?? Self.common
  }

  private static let common = Requirements()

  private static let table: [PushType: Requirements] = [
    .alert: common,
    .background: Requirements(priorities: [5]),
    .complication: Requirements(topicSuffix: ".complication"),
    .controls: Requirements(topicSuffix: ".push-type.controls"),
    .fileProvider: Requirements(topicSuffix: ".pushkit.fileprovider"),
    .liveActivity: Requirements(
      topicSuffix: ".push-type.liveactivity", priorities: [10, 5], needsProviderToken: true),
    .location: Requirements(topicSuffix: ".location-query", needsProviderToken: true),
    .mdm: common,
    .pushToTalk: Requirements(topicSuffix: ".voip-ptt"),
    .voip: Requirements(topicSuffix: ".voip", payloadLimit: 5120),
    .widgets: Requirements(topicSuffix: ".push-type.widgets"),
  ]
}

extension PushType {
  /// The largest payload in bytes; see ``Requirements/payloadLimit``.
  public var payloadLimit: Int { requirements.payloadLimit }

  /// The `apns-topic` for pushes of this type to an app.
  ///
  /// The topic of ``mdm`` is not made from a bundle ID: it is the UID attribute in the subject of the
  /// MDM push certificate.
  ///
  /// - Parameter bundleID: The app's bundle ID.
  /// - Returns: The bundle ID with the suffix that this type requires, if any.
  public func topic(forBundleID bundleID: String) -> String {
    bundleID + requirements.topicSuffix
  }

  /// Returns the problem of an `apns-topic` for this type; `nil` if no problem is known.
  ///
  /// Source: Apple, "Sending notification requests to APNs", `apns-topic` and `apns-push-type`.
  ///
  /// - Parameter topic: The header's value.
  /// - Returns: A sentence that names the header and the value that it takes.
  package func problem(withTopic topic: String) -> String? {
    let suffix = requirements.topicSuffix
    if topic.isEmpty {
      let form = suffix.isEmpty ? "the bundle ID" : "the bundle ID followed by \(suffix)"
      return "apns-topic is empty; it must be \(form)"
    }
    if topic.utf8.count > Self.topicLimit {
      return "apns-topic has \(topic.utf8.count) bytes; the limit is \(Self.topicLimit)"
    }
    if !Self.isTopic(topic) {
      return "apns-topic may contain only letters, digits, dots and hyphens"
    }
    if !topic.hasSuffix(suffix) {
      return "apns-topic must end in \(suffix) for push type \(rawValue)"
    }
    if suffix.isEmpty, let other = Self.reservedSuffixes.first(where: topic.hasSuffix) {
      return "apns-topic must not end in \(other) for push type \(rawValue)"
    }
    return nil
  }

  /// Whether a text could be the `apns-topic` of some push: 1 to 255 visible ASCII characters.
  package static func isTopic(_ topic: String) -> Bool {
    1...topicLimit ~= topic.utf8.count && topic.utf8.allSatisfy { 0x21...0x7E ~= $0 }
  }

  /// The most bytes that `apns-topic` may have.
  package static let topicLimit = 255

  /// The most bytes that `apns-collapse-id` may have.
  ///
  /// Source: Apple, "Sending notification requests to APNs".
  package static let collapseIDLimit = 64

  /// The suffixes that only topics of one push type have; a bundle ID may well end in `.voip`.
  private static let reservedSuffixes = [
    ".push-type.liveactivity", ".push-type.widgets", ".push-type.controls",
    ".pushkit.fileprovider",
  ]

  /// Returns the push type whose suffix ends a topic, although a bundle ID may have the same ending.
  ///
  /// - Parameter topic: The `apns-topic` of a push whose type requires no suffix.
  /// - Returns: That push type; `nil` if the topic does not end in such a suffix.
  package static func likelyType(ofTopic topic: String) -> PushType? {
    all.first { type in
      let suffix = type.requirements.topicSuffix
      return !suffix.isEmpty && topic.hasSuffix(suffix) && !reservedSuffixes.contains(suffix)
    }
  }

  /// Returns the problem of an `apns-collapse-id`; `nil` if no problem is known.
  ///
  /// Source: Apple, "Sending notification requests to APNs"; RFC 9113 section 8.2.1 for the characters.
  ///
  /// - Parameter collapseID: The header's value.
  /// - Returns: A sentence that names the header and the value that it takes.
  package static func problem(withCollapseID collapseID: String) -> String? {
    if collapseID.utf8.count > collapseIDLimit {
      return "apns-collapse-id has \(collapseID.utf8.count) bytes; the limit is \(collapseIDLimit)"
    }
    return isFieldValue(collapseID)
      ? nil : "apns-collapse-id has a control character, or a space at its start or end"
  }

  /// Whether a text is a valid HTTP header field value (RFC 9113 section 8.2.1).
  package static func isFieldValue(_ text: String) -> Bool {
    text.utf8.first != 0x20 && text.utf8.last != 0x20
      && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
