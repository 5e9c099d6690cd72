import Markup
import PushModel
import PushPayload

/// A message in the inbox of MartletKitUI: in its list, and opened.
struct MessagePreview {
  var message: Message
  /// The path of the picture; `nil` if it is not one of this server's uploads.
  var picture: String?
  /// The host of a picture that the app loads from elsewhere.
  var host: String?

  init(_ message: Message, _ request: PageRequest) async throws {
    self.message = message
    guard let url = message.content["card_image_url"]?.string else { return }
    if let name = url.split(separator: "/").last,
      try await request.actions.uploads?.file(url: url) != nil
    {
      picture = "/media/\(name)"
    } else {
      host = url.split(separator: "/").dropFirst().first.map(String.init) ?? url
    }
  }

  private var text: String? { message.content["text"]?.string }

  var html: HTML {
    """
    <div class="cards">
    <section class="card"><h3>In the inbox</h3>
    <div class="inbox-row">\(image("inbox-picture"))<div>
    <p class="inbox-title"><span class="inbox-unread"><span class="hidden">Unread</span></span>\(message.title)</p>
    \(text.map { "<p class=\"inbox-text\" dir=\"auto\">\($0)</p>" as HTML })
    <p class="muted">\(.time(message.publishAt))</p></div></div></section>
    <section class="card"><h3>Opened</h3>\(image("inbox-large"))
    <p class="inbox-title" dir="auto">\(message.title)</p>
    \(text.map { "<p dir=\"auto\">\($0)</p>" as HTML })\(more)</section>
    </div>
    <p class="help">A likeness of the inbox of MartletKitUI. An app with an inbox of its own may show it otherwise.</p>
    """
  }

  private func image(_ style: String) -> HTML? {
    if let picture { return "<img class=\"\(style)\" src=\"\(picture)\" alt=\"\">" }
    guard let host else { return nil }
    return
      "<div class=\"\(style) inbox-remote\"><span class=\"muted\">Picture of \(host)</span></div>"
  }

  private var more: [HTML] {
    let content = message.content
    let parts = [
      ("Video", content["card_media_url"]?.string), ("Link", content["url"]?.string),
    ]
    return parts.compactMap { title, value in
      value.map { "<p>\(title): <code>\($0)</code></p>" }
    }
  }
}
