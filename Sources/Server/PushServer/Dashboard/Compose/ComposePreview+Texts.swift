import Markup
import PhoneCards
import NotificationTemplates
import PushModel
import PushPayload
import NotificationCards

extension ComposePreview {
  /// The texts that a device shows.
  struct Texts: Sendable {
    var title = ""
    var subtitle = ""
    var body = ""
  }

  /// Composes the texts for a device; `nil` if no push is sent.
  ///
  /// - Throws: ``ComposeError`` if the payload cannot be composed for this device.
  func texts(for device: Device) throws(ComposeError) -> Texts? {
    guard let composer else { return nil }
    let bytes = try composer.payload(for: Recipient(readable: device))
    let alert = (try? JSONValue(parsing: bytes))?["aps"]?["alert"]
    return Texts(
      title: alert?["title"]?.string ?? "", subtitle: alert?["subtitle"]?.string ?? "",
      body: alert?.string ?? alert?["body"]?.string ?? "")
  }

  /// The text of the card for screen readers.
  var spoken: String {
    guard let card else { return "nothing shows" }
    let pages = card.template?.template.pages.compactMap { $0.title?.string } ?? []
    return ([card.title, card.subtitle, card.body] + pages).filter { !$0.isEmpty }
      .joined(separator: ". ")
  }

  /// The preview as `preview.js` reads it while somebody types.
  ///
  /// - Parameters:
  ///   - remarks: The remarks, at the names of the page's fields.
  ///   - steps: The steps of the page.
  ///   - prefix: The prefix of the names of the message's fields.
  /// - Returns: The JSON object.
  func json(remarks: [Remark], steps: StepList, prefix: String = "") -> JSONValue {
    [
      "bytes": bytes.map { .integer(Int64($0)) } ?? .null, "budget": .string(budget),
      "limit": .integer(Int64(limit)),
      "devices": devices.map { .integer(Int64($0)) } ?? .null, "sendable": .bool(isSendable),
      "nothing": .string(reasonForNothing),
      "film": .optional(film), "template": .bool(hasTemplate),
      "faces": .string(choice.caption(hasTemplate: hasTemplate)),
      "inbox": .optional(inbox?.markup), "steps": steps.json,
      "set": .object(form.setWords.mapValues { .string($0) }),
      "coverage": .string(
        LanguageCoverageView(form: form, coverage: coverage, prefix: prefix).html.markup),
      "remarks": .array(
        remarks.map { remark in
          [
            "field": .optional(remark.place), "severity": .string(remark.severity),
            "message": .string(remark.message), "advice": .optional(remark.advice),
          ]
        }),
    ]
  }

  /// The size of the payload and the number of devices, in words.
  var budget: String {
    let size =
      bytes.map { "\($0) of \(limit) bytes" }
      ?? (kind == .message
        ? "No push" : isBlank ? "Nothing written yet" : "Size not known while fields are refused")
    guard let devices else { return size }
    return size + " · \(devices) \(devices == 1 ? "device" : "devices")"
  }

  /// A JPEG of the notification at the place that the form chooses, with the expanded one below.
  ///
  /// - Parameters:
  ///   - appearance: Light or dark.
  ///   - scale: The pixels of a point. A scale of 1 takes a third of the time of 2.
  ///   - cards: The process that draws the picture.
  /// - Returns: The picture; `nil` if nothing would show.
  func picture(
    _ appearance: CardStyle.Appearance, scale: Double = 2, by cards: CardProcess
  ) async -> [UInt8]? {
    guard let card else { return nil }
    let style = CardStyle(scale: scale, appearance: appearance, look: choice.look)
    return try? await cards.jpeg(card, choice.views(of: card), style: style)
  }
}
