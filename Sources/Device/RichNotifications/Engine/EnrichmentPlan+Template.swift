import Foundation
import NotificationTemplates
import PushPayload

/// The template of a payload, and the attempts that fetch its media.
struct TemplatePlan: Sendable {
  let template: NotificationTemplate
  /// The name of the manifest in the app group's folder; `nil` if the media are attached instead.
  let manifest: String?
  /// The indices of each medium's attempts, in the order of need: one attempt, a second one for an alternative that the first
  /// does not try, or no attempt if all attachments are taken.
  fileprivate(set) var attempts: [[Int]] = []
  /// The media that are attached for the template alone.
  fileprivate(set) var attached: [(id: String, attempt: Int)] = []
}

extension EnrichmentPlan {
  /// Plans the media of the payload's template, after those that the payload attaches.
  ///
  /// A file that is also attached is fetched once. Without an app group the media are attached, as many as fit.
  mutating func planTemplate(
    of notification: IncomingNotification, category: String, deadline: Duration,
    in environment: RichEnvironment
  ) {
    // iOS starts no content extension for a notification without a category.
    guard !category.isEmpty else { return }
    let reading = TemplateTable.standard.read(
      payload, category: category, delivered: environment.date().timeIntervalSince1970)
    guard let template = reading.template, !template.media.isEmpty, reads(template.source) else {
      return
    }
    let names = MediaManifest.names(request: notification.identifier, message: content.messageID)
    let name = environment.appGroupFolder == nil ? nil : names.first
    self.template = TemplatePlan(template: template, manifest: name)
    for medium in template.media {
      let numbers =
        name == nil ? planAttachment(of: medium, deadline) : planAttempts(of: medium, deadline)
      self.template?.attempts.append(numbers)
    }
  }

  /// Whether the app's table has a template's dialect; a dialect outside the standard table is always read.
  private func reads(_ dialect: Dialect.ID) -> Bool {
    configuration.dialects.dialects.contains { $0.id == dialect }
      || !DialectTable.standard.dialects.contains { $0.id == dialect }
  }

  /// The attempts of a medium: the attempt that already fetches the same file, or a new one.
  private mutating func planAttempts(of medium: TemplateMedia, _ deadline: Duration) -> [Int] {
    guard let shared = attempt(for: medium.url) else {
      return [addAttempt(RichMedia(medium), deadline)]
    }
    guard let alternative = medium.alternative,
      !attempts[shared].media.alternatives.contains(where: { $0.url == alternative })
    else { return [shared] }
    if let other = attempt(for: alternative) { return [shared, other] }
    var replacement = medium
    (replacement.url, replacement.alternative) = (alternative, nil)
    let other = addAttempt(RichMedia(replacement), deadline)
    standbys[other] = shared
    return [shared, other]
  }

  private func attempt(for url: String) -> Int? {
    attempts.firstIndex { $0.media.wanted.url == url }
  }

  /// Plans an attachment, unless the payload or another medium attaches the file.
  ///
  /// The content extension finds it by its identifier: that of the payload, or else that of the medium.
  private mutating func planAttachment(of medium: TemplateMedia, _ deadline: Duration) -> [Int] {
    let count = wanted.count + (template?.attached.count { standbys[$0.attempt] == nil } ?? 0)
    guard attempt(for: medium.url) != nil || count < configuration.media.maximumCount else {
      return []
    }
    let numbers = planAttempts(of: medium, deadline)
    for number in numbers where !isAttached(number) {
      template?.attached.append((medium.id, number))
    }
    for index in wanted.indices
    where numbers.contains(wanted[index].attempt ?? -1) && wanted[index].media.identifier.isEmpty {
      wanted[index].media.identifier = medium.id
    }
    return numbers
  }

  /// Whether the file of an attempt is stored for the template, because it is one of its media and of the kind that it
  /// names.
  func stores(_ file: AttachedMedia, attempt: Int) -> Bool {
    guard let template, template.manifest != nil else { return false }
    return zip(template.template.media, template.attempts).contains { medium, numbers in
      numbers.contains(attempt) && medium.kind.family == file.type.family
    }
  }

  /// Whether the file of an attempt is attached.
  func isAttached(_ attempt: Int) -> Bool {
    wanted.contains { $0.attempt == attempt }
      || template?.attached.contains { $0.attempt == attempt } == true
  }

  /// Adds the attachments and the outcomes of the template's media.
  func finishTemplate(of content: inout EnrichedContent, _ endings: [Ending]) {
    guard let template else { return }
    for (id, number) in template.attached {
      guard case .success(var file) = endings[number].result else { continue }
      file.identifier = id
      content.attachments.append(file)
    }
    content.templateMedia = zip(template.template.media, template.attempts).map { medium, numbers in
      var outcome = TemplateMediaOutcome(id: medium.id, url: medium.url, reason: .budget)
      for (index, number) in numbers.enumerated() {
        do throws(MediaFailure) {
          outcome.file = try Self.file(endings[number].result, of: medium)
          outcome.reason = nil
          break
        } catch {
          if index == 0 { outcome.reason = error.reason }
        }
      }
      return outcome
    }
  }

  /// The stored file of a medium; `nil` if it is attached.
  private static func file(
    _ result: Result<AttachedMedia, MediaFailure>, of medium: TemplateMedia
  ) throws(MediaFailure) -> MediaManifest.File? {
    let file = try result.get()
    guard medium.kind.family == file.type.family else {
      throw MediaFailure(.otherKind, "the file is not of the kind that the template names")
    }
    return try file.stored?.get()
  }
}

extension RichMedia {
  /// A medium of a template, with its alternative URL.
  fileprivate init(_ medium: TemplateMedia) {
    func reference(_ url: String) -> MediaReference {
      MediaReference(url: url, path: "template", declaredFamily: medium.kind.family)
    }
    self.init(reference(medium.url))
    alternatives = medium.alternative.map { [reference($0)] } ?? []
  }
}

extension TemplateMedia.Kind {
  /// The family of the files that can be shown as this kind.
  fileprivate var family: MediaType.Family {
    switch self {
    case .image, .gif: .image
    case .video: .movie
    case .audio: .audio
    }
  }
}
