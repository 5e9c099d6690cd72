import Markup
import PushModel

/// The form that edits an app, or adds one if `app` is `nil`.
struct AppFormView {
  var request: PageRequest
  var app: App?
  var isOpen: Bool
  /// The field that asks who the user is.
  var confirmation: HTML? = nil

  private var action: String { app == nil ? "add-app" : "change-app" }

  var html: HTML {
    let form = AppForm(request.form, app, action: action)
    return """
      <details class="card"\(" open", if: isOpen)>\
      <summary>\(app == nil ? "Add app" : "Edit app or APNs key")</summary>
      <form method="post" action="\(request.path(.settings))" enctype="multipart/form-data">\
      \(request.session.tokenField)\
      \(app.map { "<input type=\"hidden\" name=\"version\" value=\"\($0.version)\">" as HTML })
      <div class="columns">
      <div>\(line("Name", name: "name", value: form.name, maxLength: 100))</div>
      <div>\(line("Bundle ID", name: "bundle_id", value: form.bundleID, maxLength: 155))</div>
      <div>\(line("Team ID", name: "team_id", value: form.teamID, maxLength: 32))</div>
      <div>\(line("APNs key ID", name: "key_id", value: form.keyID, maxLength: 32))</div>
      </div>
      <label for="\(action)-file">\(app == nil ? "APNs key (.p8 file)" : "New APNs key (.p8 file)")</label>
      <input type="file" id="\(action)-file" name="key_file" accept=".p8"\
      \(" required", if: app == nil) aria-describedby="\(action)-file-help">
      <p class="help" id="\(action)-file-help">The file name contains the key ID: \
      AuthKey_<em>ID</em>.p8. \("Without a file, the key stays the same.", if: app != nil)</p>
      <label class="choice"><input type="checkbox" name="unverified"\
      \(" checked", if: form.isUnverified)> Save without verifying the key with APNs</label>
      \(app == nil ? nil : throttle(form.throttle))
      \(confirmation)
      <p><button class="primary" name="action" value="\(action)">\
      \(app == nil ? "Add app" : "Save")</button></p>
      </form></details>
      """
  }

  private func line(
    _ label: String, name: String, value: String, maxLength: Int
  ) -> HTML {
    """
    <label for="\(action)-\(name)">\(label)</label><input id="\(action)-\(name)" name="\(name)" \
    value="\(value)" required maxlength="\(maxLength)" autocomplete="off" spellcheck="false">
    """
  }

  private func throttle(_ value: String) -> HTML {
    """
    <label for="throttle">Default rate limit (pushes per second)</label>
    <input id="throttle" name="throttle" inputmode="numeric" value="\(value)" \
    autocomplete="off" aria-describedby="throttle-help">
    <p class="help" id="throttle-help">1 to 1000000, for sends without a rate limit. If empty, there is no limit.</p>
    """
  }
}
