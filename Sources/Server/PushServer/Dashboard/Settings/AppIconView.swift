import Markup
import PushModel

/// The form that changes the icon of an app.
struct AppIconView {
  /// The name of the file's field.
  static let field = "icon"

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
      <input type="file" id="icon" name="\(Self.field)" accept="image/png" aria-describedby="icon-help">
      <p class="help" id="icon-help">Square, of at most \(AppIcon.largestSide) × \(AppIcon.largestSide) pixels and 1 MiB.</p>
      <p class="row"><button class="primary" name="action" value="change-icon">Save icon</button>\
      \("<button name=\"action\" value=\"remove-icon\">Remove icon</button>", if: icon != nil)</p>
      </form></details>
      """
  }
}
