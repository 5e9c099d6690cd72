import Foundation
import PushPayload

/// What is to be done with one notification, decided from its payload before any IO.
struct EnrichmentPlan: Sendable {
  /// The content as it is without media.
  var content: EnrichedContent
  /// What to attach; `nil` delivers at once.
  var media: PlannedMedia?
  /// What becomes the body when the media cannot be shown.
  var alternativeText: String?

  /// Reads a payload; where `categories` are given, one that names another is not touched.
  init(
    payload: JSONValue, text: NotificationText, category: String, categories: [String],
    configuration: RichConfiguration
  ) {
    content = EnrichedContent(text: text)
    guard categories.isEmpty || category.isEmpty || categories.contains(category) else {
      content.dialect = .none
      content.note = "the category is not one of the extension's; delivered untouched"
      return
    }
    let rich = configuration.dialects.read(payload)
    content.dialect = rich.dialect
    content.findings = rich.findings
    content.text.override(title: rich.title, subtitle: rich.subtitle, body: rich.body)
    alternativeText = rich.alternativeText
    media = rich.media.first.map {
      PlannedMedia($0, allowsPlainHTTP: configuration.allowsPlainHTTP)
    }
  }

  func content(with file: AttachedMedia, for media: PlannedMedia) -> EnrichedContent {
    var content = content
    content.attachments = [file]
    content.media = [
      MediaOutcome(
        url: media.url, result: .attached, reason: nil, status: file.status, bytes: file.bytes)
    ]
    return content
  }

  func content(without media: PlannedMedia, because failure: MediaFailure) -> EnrichedContent {
    var content = content
    content.text.override(title: nil, subtitle: nil, body: alternativeText)
    content.usedAlternativeText = !(alternativeText ?? "").isEmpty
    content.media = [
      MediaOutcome(
        url: media.url, result: .failed, reason: failure.reason, status: failure.status,
        bytes: failure.bytes)
    ]
    content.note = failure.message
    return content
  }
}

/// One media file that a payload asks for, and where it comes from, if anywhere.
struct PlannedMedia: Sendable {
  var url: String
  var path: PayloadPath
  var source: Result<MediaSource, MediaFailure>

  init(_ media: RichMedia, allowsPlainHTTP: Bool) {
    url = media.wanted.url
    path = media.wanted.path
    do throws(MediaFailure) {
      source = .success(try MediaSource(media.wanted.url, allowsPlainHTTP: allowsPlainHTTP))
    } catch {
      source = .failure(error)
    }
  }
}
