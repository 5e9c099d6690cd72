import Markup
import _HTTPServer

/// A form that was submitted after its session had expired, shown again so that no input is lost.
enum SavedForm {
  /// The field with the value of the button that was pressed, which is not pressed again.
  static let pressed = "pressed"

  /// A page that holds the fields and submits them to `next`.
  static func page(
    _ form: Form, next: String, session: Session, status: Int = 200,
    headers: [(String, String)] = []
  ) -> HTTPResponse {
    guard SignIn.isDashboardPath(next) else { return .seeOther("/", headers: headers) }
    // A button alone, such as Pause, is pressed again on its page.
    guard form.fields.contains(where: { $0.name != pressed }) else {
      return .seeOther(next, headers: headers)
    }
    let fields = form.fields.map { field -> HTML in
      "<input type=\"hidden\" name=\"\(field.name)\" value=\"\(field.value)\">\n"
    }
    let main: HTML = """
      <div class="card narrow">
      <h1>Signed in again</h1>
      <p>Your input was restored. Nothing has been sent.</p>
      <form method="post" action="\(next)">
      \(session.tokenField)
      \(fields)<button class="primary" name="action" value="preview">Continue editing</button>
      </form>
      </div>
      """
    return WebPage(title: "Signed in again", main: main).response(status: status, headers: headers)
  }
}

extension Form {
  /// Whether the form was submitted by a button, or is shown again after it was.
  func isOf(_ action: String) -> Bool {
    self["action"] == action || self[SavedForm.pressed] == action
  }

  /// The first value of a field for a password or a key, which keeps its spaces.
  func password(_ name: String) -> String { all(name).first ?? "" }

  /// The fields to submit again, URL-encoded: all but the form token, the pressed button and passwords.
  var savedFields: String {
    var form = Form(fields)
    form.set(SavedForm.pressed, self["action"])
    for name in ["token", "action", "current", "password", "again"] { form.set(name, nil) }
    return form.urlEncoded
  }
}
