import Markup
import PushStore

/// What an app is called and how it pushes, to be changed; without an app, to be made.
struct AppFormView {
  var visit: Visit
  var app: App?
  var isOpen: Bool

  private var action: String { app == nil ? "add-app" : "change-app" }

  var html: HTML {
    let form = AppForm(visit.form, app, action: action)
    return """
      <details class="card"\(" open", if: isOpen)>\
      <summary>\(app == nil ? "Add another app" : "Change the app or its key")</summary>
      <form method="post" action="\(visit.path(.settings))" enctype="multipart/form-data">\
      \(visit.session.tokenField)\
      \(app.map { "<input type=\"hidden\" name=\"version\" value=\"\($0.version)\">" as HTML })
      <div class="columns">
      <div>\(line("name", "Name", form.name, most: 100))</div>
      <div>\(line("bundle_id", "Bundle id", form.bundleID, most: 155))</div>
      <div>\(line("team_id", "Team id", form.teamID, most: 32))</div>
      <div>\(line("key_id", "Key id of Apple", form.keyID, most: 32))</div>
      </div>
      <label for="\(action)-file">\(app == nil ? "The key: its .p8 file" : "A new key: the .p8 file")</label>
      <input type="file" id="\(action)-file" name="key_file" accept=".p8"\
      \(" required", if: app == nil) aria-describedby="\(action)-file-help">
      <p class="help" id="\(action)-file-help">Its id stands in the file's name, \
      AuthKey_<em>id</em>.p8. \("Without a file the key stays.", if: app != nil)</p>
      <label class="choice"><input type="checkbox" name="unverified"\
      \(" checked", if: form.isUnverified)> Save without asking Apple whether the key is good</label>
      \(app == nil ? nil : throttle(form.throttle))
      <p><button class="primary" name="action" value="\(action)">\
      \(app == nil ? "Add the app" : "Save")</button></p>
      </form></details>
      """
  }

  private func line(_ name: String, _ label: String, _ value: String, most: Int) -> HTML {
    """
    <label for="\(action)-\(name)">\(label)</label><input id="\(action)-\(name)" name="\(name)" \
    value="\(value)" required maxlength="\(most)" autocomplete="off" spellcheck="false">
    """
  }

  private func throttle(_ value: String) -> HTML {
    """
    <label for="throttle">Pushes a second at most, where a send does not say</label>
    <input id="throttle" name="throttle" inputmode="numeric" value="\(value)" \
    autocomplete="off" aria-describedby="throttle-help">
    <p class="help" id="throttle-help">1 to 1000000. Nothing is as many as can.</p>
    """
  }
}
