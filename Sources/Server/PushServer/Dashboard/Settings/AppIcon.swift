import Markup
import NotificationPreview
import PushStore

/// The icon of an app on the cards of the dashboard, an upload that stays until another one replaces it.
enum AppIcon {
  /// The largest side in pixels, which is that of the icon in the App Store.
  static let largestSide = 1024
  static let largestSize = 1 << 20
  /// The name of the file's field.
  static let field = "icon"

  /// Checks that a file is a square PNG within the limits.
  ///
  /// - Throws: ``RequestError`` `.tooLarge` or `.unsupportedType`, whose message says what to change.
  static func check(_ bytes: ArraySlice<UInt8>) throws(RequestError) {
    guard bytes.count <= largestSize else {
      throw RequestError(.tooLarge, "the icon has more than 1 MiB; save it as a smaller PNG")
    }
    guard let (width, height) = size(ofPNG: bytes) else {
      throw RequestError(.unsupportedType, "the icon is not a PNG; export it as one")
    }
    guard width == height, (1...largestSide).contains(width) else {
      throw RequestError(
        .unsupportedType,
        "the icon is \(width) × \(height) pixels; it must be square, of \(largestSide) at most")
    }
  }

  /// The width and the height in the header of a PNG (its specification, sections 5.2 and 11.2.2).
  static func size(ofPNG bytes: ArraySlice<UInt8>) -> (width: Int, height: Int)? {
    let start: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]
    guard bytes.count >= start.count + 8, bytes.starts(with: start) else { return nil }
    let numbers = bytes.dropFirst(start.count)
    func number(_ bytes: ArraySlice<UInt8>) -> Int {
      bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    return (number(numbers), number(numbers.dropFirst(4)))
  }

  /// Keeps the file of a submitted form as the icon of the app, or removes the icon.
  static func change(_ request: PageRequest, removes: Bool) async throws {
    let app = request.app.id
    let icon = removes ? nil : try await keepFile(of: request)
    guard
      try await request.actions.store(for: request.actor, "app.update", app).setIcon(icon, app: app)
    else {
      throw RequestError.notFound("app with this id")
    }
  }

  /// Stores the file of a submitted form as an upload, and returns its name.
  private static func keepFile(of request: PageRequest) async throws -> String {
    guard let file = request.form.files.first(where: { $0.name == field }), !file.bytes.isEmpty
    else { throw RequestError(.invalid, "choose a PNG file for the icon") }
    guard let uploads = request.api.uploads else {
      throw RequestError(
        .notOffered, "uploads are disabled on this server, so it has no place for an icon")
    }
    try check(file.bytes)
    let name = try await uploads.keep(file.bytes, app: request.app.id, at: request.now)
    // The process that draws cards decodes it. If it is too busy, cards show the app's letter in place of a
    // damaged icon.
    if let path = try await uploads.file(name),
      (try? await request.api.cards.isDamaged(picture: path)) == true
    {
      throw RequestError(
        .unsupportedType, "the icon is damaged and cannot be drawn; export it once more")
    }
    return name
  }
}

/// The form that changes the icon of an app.
struct AppIconView {
  var request: PageRequest
  var isOpen: Bool

  var html: HTML {
    let icon = request.app.icon
    return """
      <details class="card"\(" open", if: isOpen)><summary>App icon</summary>
      <p class="help">Previews show it. Phones have that of the app itself.</p>
      \(icon.map { "<p><img class=\"app-icon\" src=\"/media/\($0)\" alt=\"The icon of \(request.app.name)\" width=\"64\" height=\"64\"></p>" as HTML })
      <form method="post" action="\(request.path(.settings))" enctype="multipart/form-data">\
      \(request.session.tokenField)
      <label for="icon">\(icon == nil ? "Icon" : "New icon") (PNG)</label>
      <input type="file" id="icon" name="\(AppIcon.field)" accept="image/png" aria-describedby="icon-help">
      <p class="help" id="icon-help">Square, of at most \(AppIcon.largestSide) × \(AppIcon.largestSide) pixels and 1 MiB.</p>
      <p class="row"><button class="primary" name="action" value="change-icon">Save icon</button>\
      \("<button name=\"action\" value=\"remove-icon\">Remove icon</button>", if: icon != nil)</p>
      </form></details>
      """
  }
}
