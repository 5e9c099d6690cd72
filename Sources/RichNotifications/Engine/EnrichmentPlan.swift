import Foundation
import PushPayload

/// What is to be done with one notification, decided from its payload before any IO.
struct EnrichmentPlan: Sendable {
  /// The content as it is without media.
  private(set) var content: EnrichedContent
  /// What to fetch, each URL once.
  private(set) var errands: [MediaAttempt] = []
  /// The buttons to make known to the system.
  private(set) var buttons: ButtonCategory?
  /// Whether the payload or the app has other texts than those that arrived, before any medium came.
  private(set) var replacesText = false
  /// How many errands may run at the same time.
  let maximumParallel: Int
  /// What happens to the number on the icon.
  private(set) var badge: BadgeChange?

  /// What the payload asks to attach, in its order, and which errand it is.
  private var wanted: [(media: RichMedia, errand: Int?)] = []
  private var rich = PayloadRequest(dialect: .none)
  private var payload: JSONValue
  private let configuration: RichConfiguration

  /// How an errand ended.
  struct Ending {
    var errand: MediaAttempt
    var result: Result<AttachedMedia, MediaFailure>
  }

  /// Reads a payload; where the extension is restricted to categories, one that names another is not
  /// touched.
  init(
    _ arrival: IncomingNotification, _ configuration: RichConfiguration,
    _ environment: RichEnvironment
  ) {
    self.configuration = configuration
    payload = arrival.payload
    content = EnrichedContent(text: arrival.text)
    maximumParallel = max(1, configuration.media.maximumParallel)
    guard decrypt(arrival, configuration.decryption, environment) else { return }
    // What the sender counts itself is where "one more" goes on from.
    badge = payload["aps"]?["badge"]?.integer.map { .set(Int(clamping: $0)) }
    let category = content.categoryIdentifier ?? arrival.category
    let categories = environment.categories
    guard categories.isEmpty || category.isEmpty || categories.contains(category) else {
      content.note = "the category is not one of the extension's; delivered untouched"
      return
    }
    content.sender = configuration.sender?(payload)
    rich = configuration.dialects.read(payload)
    content.dialect = rich.dialect
    content.findings = rich.findings
    content.deepLink = rich.deepLink
    // Our own name for a notification before a vendor's: receipts go to our own server.
    let own = payload["_nid"]?.string ?? ""
    content.messageID = own.isEmpty ? rich.messageID : own
    badge = rich.badge ?? badge
    let arrived = content.text
    replaceText(of: &content, withRich: !rich.textNeedsMedia)
    replacesText = content.text != arrived
    planCategory(category, environment.date())
    let deadline = environment.clock.now + configuration.deadline
    for media in rich.media { plan(media, deadline) }
  }

  /// - Returns: Whether to read on: a payload that stays closed is shown as the sender's placeholder.
  private mutating func decrypt(
    _ arrival: IncomingNotification, _ decryption: PayloadDecryption?,
    _ environment: RichEnvironment
  ) -> Bool {
    guard let sealed = arrival.payload["_enc"], !sealed.isNull else { return true }
    do throws(DecryptionFailure) {
      guard let decryption else {
        throw DecryptionFailure("no-key", "the app has no keys to decrypt with")
      }
      payload = try decryption.open(sealed)
      content.decrypted = payload
      content.decryption = "ok"
      let aps = APNsPayload(payload).aps
      content.categoryIdentifier = aps.category
      let text = NotificationText(aps.alert, localized: environment.localized)
      // A notification without any text is shown as it arrived, and its media with it are lost.
      if text != NotificationText() { content.text = text }
      return true
    } catch {
      content.decryption = error.reason
      content.note = error.message
      return false
    }
  }

  /// The app's own words come after the payload's.
  private func replaceText(of content: inout EnrichedContent, withRich: Bool) {
    if withRich {
      content.text.override(title: rich.title, subtitle: rich.subtitle, body: rich.body)
    }
    if let template = configuration.template { content.text.fill(template, from: payload) }
  }

  private mutating func planCategory(_ category: String, _ date: Date) {
    content.buttons = rich.buttons
    // What `aps.category` names is the sender's choice and the app's own definition.
    guard category.isEmpty else { return }
    if let named = rich.category, !named.isEmpty {
      content.categoryIdentifier = named
    } else if let buttons = ButtonCategory(buttons: rich.buttons, at: date) {
      self.buttons = buttons
      content.buttons = buttons.buttons
      content.categoryIdentifier = buttons.identifier
    }
  }

  /// The category under which the buttons are known.
  mutating func name(_ category: String) { content.categoryIdentifier = category }

  private mutating func plan(_ media: RichMedia, _ deadline: Duration) {
    guard wanted.count < configuration.media.maximumCount else {
      return wanted.append((media, nil))
    }
    if let same = wanted.first(where: { Self.isSame($0.media, media) }) {
      return wanted.append((media, same.errand))
    }
    wanted.append((media, errands.count))
    errands.append(MediaAttempt(media, policy: configuration.media, deadline: deadline))
  }
}

extension EnrichmentPlan {
  /// Which errand each medium of the content was, in the payload's order; `nil` for none.
  var errandNumbers: [Int?] { wanted.map(\.errand) }

  /// Whether one file does for both: the same URL, checked alike, and the same that may stand in.
  private static func isSame(_ media: RichMedia, _ other: RichMedia) -> Bool {
    media.wanted.url == other.wanted.url && media.wanted.sha256 == other.wanted.sha256
      && media.alternatives.map(\.url) == other.alternatives.map(\.url)
  }

  /// What to show when its errands have ended so: what was had, in the payload's order, and the
  /// alternative text where anything is missing.
  func content(_ endings: [Ending]) -> EnrichedContent {
    var content = content
    var missing: MediaFailure?
    for (media, number) in wanted {
      guard let number else {
        let failure = MediaFailure(.budget, "a notification attaches fewer files than that")
        missing = missing ?? failure
        content.media.append(Self.outcome(media, .skipped, failure, tries: 0))
        continue
      }
      let (errand, result) = (endings[number].errand, endings[number].result)
      switch result {
      case .success(var file):
        file.identifier = media.identifier
        file.thumbnail = media.thumbnail
        content.attachments.append(file)
        var outcome = Self.outcome(media, .attached, nil, tries: errand.tries)
        if errand.isAlternative {
          outcome.result = .alternative
          content.deepLink = errand.deepLink ?? content.deepLink
        }
        outcome.reason = errand.failure?.reason
        outcome.status = errand.failure?.status ?? file.status
        outcome.bytes = file.bytes
        content.media.append(outcome)
      case .failure(let failure):
        missing = missing ?? failure
        content.media.append(Self.outcome(media, .failed, failure, tries: errand.tries))
      }
    }
    finishText(of: &content, missing)
    return content
  }

  private func finishText(of content: inout EnrichedContent, _ missing: MediaFailure?) {
    if rich.textNeedsMedia, !content.attachments.isEmpty {
      replaceText(of: &content, withRich: true)
    }
    if let missing {
      content.note = missing.message
      if let text = rich.alternativeText, !text.isEmpty {
        content.text.override(title: nil, subtitle: nil, body: text)
        content.usedAlternativeText = true
      }
    }
  }

  private static func outcome(
    _ media: RichMedia, _ result: MediaOutcome.Result, _ failure: MediaFailure?, tries: Int
  ) -> MediaOutcome {
    MediaOutcome(
      url: media.wanted.url, result: result, reason: failure?.reason, status: failure?.status,
      bytes: failure?.bytes ?? 0, tries: tries)
  }
}
