import Markup
import _HTTPServer

/// A form that was submitted after its session had expired, shown again so that no input is lost.
enum SavedForm {
  /// A page that holds the fields and submits them to `next`.
  static func page(
    _ form: Form, next: String, session: Session, status: Int = 200,
    headers: [(String, String)] = []
  ) -> HTTPResponse {
    guard SignIn.isDashboardPath(next) else { return .seeOther("/", headers: headers) }
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
  /// The first value of a field for a password or a key, which keeps its spaces.
  func password(_ name: String) -> String { all(name).first ?? "" }

  /// The fields to submit again, URL-encoded: all but the form token, the pressed button and passwords.
  var savedFields: String {
    var form = Form(fields)
    for name in ["token", "action", "current", "password", "again"] { form.set(name, nil) }
    return form.urlEncoded
  }
}
