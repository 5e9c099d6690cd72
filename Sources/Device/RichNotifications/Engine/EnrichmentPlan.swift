import Foundation
import PushCrypto
import PushPayload

/// The plan for one notification, made from its payload before media are fetched.
struct EnrichmentPlan: Sendable {
  /// The content without media.
  private(set) var content: EnrichedContent
  /// The files to fetch; a URL that the payload repeats is fetched once.
  private(set) var attempts: [MediaAttempt] = []
  /// The attempts that start only if another one fails: the index of each, with that of the other, which is lower.
  var standbys: [Int: Int] = [:]
  /// The category to register for the payload's buttons.
  private(set) var buttons: ButtonCategory?
  /// The lines of the alert that are replaced independently of media, for the trace.
  private(set) var replacedLines: [String] = []
  /// The reason why the payload's buttons are not shown, for the trace; `nil` if they are shown.
  private(set) var reasonWithoutButtons: String?
  /// Whether it is unknown if the encrypted message is a repeat, because the replay window cannot be used.
  private(set) var repeatIsUnknown = false
  /// The number of attempts that may run at the same time, at least 1.
  let maximumParallel: Int
  /// The change of the app icon's badge.
  private(set) var badge: BadgeChange?
  /// The template of the expanded notification; `nil` if the payload has no template with media.
  var template: TemplatePlan?

  /// The media that the payload requests, in its order, each with the index of its attempt.
  var wanted: [(media: RichMedia, attempt: Int?)] = []
  private var request = PayloadRequest(dialect: .none)
  private(set) var payload: JSONValue
  let configuration: RichConfiguration

  /// An attempt that has ended, with its result.
  struct Ending {
    var attempt: MediaAttempt
    var result: Result<AttachedMedia, MediaFailure>
  }

  /// Reads a notification's payload.
  ///
  /// If the extension is restricted to categories, a notification of another category is left unchanged.
  init(
    _ notification: IncomingNotification, configuration: RichConfiguration,
    environment: RichEnvironment
  ) {
    self.configuration = configuration
    payload = notification.payload
    content = EnrichedContent(text: notification.text)
    maximumParallel = max(1, configuration.media.maximumParallel)
    guard decrypt(notification, in: environment) else {
      // The receipt says why; of a payload that should be encrypted and is not, nothing is used.
      if payload[EncryptedPayload.payloadKey]?.string != nil {
        content.messageID = payload["_nid"]?.string
      }
      return
    }
    // A relative change of the badge starts from the number in `aps.badge`.
    badge = payload["aps"]?["badge"]?.integer.map { .set(Int(clamping: $0)) }
    let category = content.categoryIdentifier ?? notification.category
    let categories = environment.categories
    guard categories.isEmpty || category.isEmpty || categories.contains(category) else {
      content.note = "the category is not one of the extension's; delivered unchanged"
      content.isUntouched = true
      content.messageID = payload["_nid"]?.string
      return
    }
    content.sender = configuration.sender?(payload)
    request = configuration.dialects.read(payload)
    content.dialect = request.dialect
    content.findings = request.findings
    content.deepLink = request.deepLink
    content.messageID = Receipt.notificationID(of: payload, read: request)
    badge = request.badge ?? badge
    let original = content.text
    replaceText(of: &content, usingPayload: !request.textNeedsMedia)
    replacedLines = replacedLines(from: original, to: content.text)
    planCategory(category, environment.date())
    let deadline = environment.clock.now + configuration.deadline
    for media in request.media { plan(media, deadline) }
    planTemplate(
      of: notification, category: content.categoryIdentifier ?? category, deadline: deadline,
      in: environment)
  }

  /// Decrypts the payload if it is encrypted.
  ///
  /// - Returns: Whether to read on. A payload that cannot be decrypted is shown as a placeholder.
  private mutating func decrypt(
    _ notification: IncomingNotification, in environment: RichEnvironment
  ) -> Bool {
    let encrypted = notification.payload["_enc"].flatMap { $0.isNull ? nil : $0 }
    if encrypted == nil, !configuration.requiresEncryption { return true }
    do throws(DecryptionFailure) {
      guard let encrypted else {
        throw DecryptionFailure(
          "not-encrypted", "the payload is not encrypted, and requiresEncryption is set")
      }
      guard let decryption = configuration.decryption else {
        throw DecryptionFailure("no-key", "RichConfiguration.decryption is not set")
      }
      let (decrypted, salt) = try decryption.decrypt(encrypted)
      let message = ReplayWindow.Message(
        id: decrypted["_nid"]?.string, salt: salt, request: notification.identifier)
      try checkForRepeat(message, crypto: decryption.crypto, in: environment)
      use(decrypted, localized: environment.localized)
      return true
    } catch {
      content.decryption = error.reason
      content.note = error.message
      // The outer payload is not authenticated, so with requiresEncryption its text is not shown either.
      if configuration.requiresEncryption || error.reason == "replayed" {
        content.isWithheld = true
        content.text = configuration.shownPlaceholder
      }
      return false
    }
  }

  private mutating func checkForRepeat(
    _ message: ReplayWindow.Message, crypto: any CryptoProvider, in environment: RichEnvironment
  ) throws(DecryptionFailure) {
    guard let folder = environment.appGroupFolder ?? environment.ownFolder else { return }
    switch ReplayWindow(folder: folder, crypto: crypto).admit(message, at: environment.date()) {
    case .accepted: break
    case .repeated:
      throw DecryptionFailure("replayed", "this encrypted message has arrived before")
    case .unknown: repeatIsUnknown = true
    }
  }

  private mutating func use(
    _ decrypted: JSONValue, localized: (_ key: String, _ arguments: [String]) -> String?
  ) {
    payload = decrypted
    content.decrypted = decrypted
    content.decryption = "ok"
    let aps = APNsPayload(decrypted).aps
    content.categoryIdentifier = aps.category
    let text = NotificationText(aps.alert, localized: localized)
    // The system ignores changes that leave a notification without text, so the placeholder stays.
    if text != NotificationText() { content.text = text }
  }

  /// Applies the payload's text, then the app's template over it.
  private func replaceText(of content: inout EnrichedContent, usingPayload: Bool) {
    if usingPayload {
      content.text.override(title: request.title, subtitle: request.subtitle, body: request.body)
    }
    if let template = configuration.template { content.text.fill(template, from: payload) }
  }

  private mutating func planCategory(_ category: String, _ date: Date) {
    content.buttons = request.buttons
    if category.isEmpty, let named = request.category, !named.isEmpty {
      content.categoryIdentifier = named
      return
    }
    guard request.buttonsBesideCategory.showsButtons(besideCategory: category) else {
      guard !request.buttons.isEmpty else { return }
      reasonWithoutButtons =
        category.isEmpty
        ? "\(request.dialect) shows buttons only with aps.category, which the payload lacks"
        : "aps.category is kept, and the buttons of \(request.dialect) are not shown"
      return
    }
    if let buttons = ButtonCategory(buttons: request.buttons, at: date) {
      self.buttons = buttons
      content.buttons = buttons.buttons
      content.categoryIdentifier = buttons.identifier
    }
  }

  /// Describes each line that differs, with the source of its replacement.
  func replacedLines(from original: NotificationText, to text: NotificationText) -> [String] {
    let template = configuration.template
    let lines = [
      ("title", original.title, text.title, request.titlePath, template?.title),
      ("subtitle", original.subtitle, text.subtitle, request.subtitlePath, template?.subtitle),
      ("body", original.body, text.body, request.bodyPath, template?.body),
    ]
    return lines.compactMap { name, before, after, path, line in
      guard before != after else { return nil }
      if line?.filled(from: payload) != nil { return "the app's template replaces the \(name)" }
      return path.map { "\($0) replaces the \(name)" }
    }
  }

  /// Sets the category that the buttons were registered under.
  mutating func useCategory(_ category: String) { content.categoryIdentifier = category }

  private mutating func plan(_ media: RichMedia, _ deadline: Duration) {
    guard wanted.count < configuration.media.maximumCount else {
      return wanted.append((media, nil))
    }
    if let same = wanted.first(where: { Self.isSame($0.media, media) }) {
      return wanted.append((media, same.attempt))
    }
    wanted.append((media, attempts.count))
    _ = addAttempt(media, deadline)
  }

  /// Adds an attempt.
  ///
  /// - Returns: Its index.
  mutating func addAttempt(_ media: RichMedia, _ deadline: Duration) -> Int {
    attempts.append(MediaAttempt(media, policy: configuration.media, deadline: deadline))
    return attempts.count - 1
  }
}

extension EnrichmentPlan {
  /// The index of each requested file's attempt, in the payload's order; `nil` for a skipped file.
  var attemptIndices: [Int?] { wanted.map(\.attempt) }

  /// Whether one attempt serves both: they have the same URL, SHA-256 and fallbacks.
  private static func isSame(_ media: RichMedia, _ other: RichMedia) -> Bool {
    media.wanted.url == other.wanted.url && media.wanted.sha256 == other.wanted.sha256
      && media.alternatives.map(\.url) == other.alternatives.map(\.url)
  }

  /// The content to deliver: the attached files in the payload's order, and the fallback text if any file is
  /// missing.
  ///
  /// `endings` are those of all attempts, in their order.
  func content(_ endings: [Ending]) -> EnrichedContent {
    var content = content
    var missing: MediaFailure?
    for (media, number) in wanted {
      guard let number else {
        let failure = MediaFailure(
          .budget,
          "the payload requests more files than MediaPolicy.maximumCount, "
            + "which is \(configuration.media.maximumCount)")
        missing = missing ?? failure
        content.media.append(Self.outcome(of: media, .skipped, failure: failure, requestCount: 0))
        continue
      }
      let (attempt, result) = (endings[number].attempt, endings[number].result)
      switch result {
      case .success(var file):
        file.identifier = media.identifier
        file.thumbnail = media.thumbnail
        content.attachments.append(file)
        var outcome = Self.outcome(
          of: media, .attached, failure: nil, requestCount: attempt.requestCount)
        if attempt.isAlternative {
          outcome.result = .alternative
          content.deepLink = attempt.deepLink ?? content.deepLink
        }
        outcome.reason = attempt.failure?.reason
        outcome.status = attempt.failure?.status ?? file.status
        outcome.bytes = file.bytes
        content.media.append(outcome)
      case .failure(let failure):
        missing = missing ?? failure
        content.media.append(
          Self.outcome(
            of: media, .failed, failure: failure, requestCount: attempt.requestCount))
      }
    }
    finishTemplate(of: &content, endings)
    finishText(of: &content, missing)
    return content
  }

  private func finishText(of content: inout EnrichedContent, _ missing: MediaFailure?) {
    if request.textNeedsMedia, !content.attachments.isEmpty {
      replaceText(of: &content, usingPayload: true)
    }
    if let missing {
      content.note = missing.message
      if let text = request.alternativeText, !text.isEmpty {
        content.text.override(title: nil, subtitle: nil, body: text)
        content.usedAlternativeText = true
      }
    }
  }

  private static func outcome(
    of media: RichMedia, _ result: MediaOutcome.Result, failure: MediaFailure?, requestCount: Int
  ) -> MediaOutcome {
    MediaOutcome(
      url: media.wanted.url, result: result, reason: failure?.reason, status: failure?.status,
      bytes: failure?.bytes ?? 0, requestCount: requestCount)
  }
}
