import Markup
import NetworkAddresses
import PushModel

/// The API keys of an app: their names, rights and last uses, and the form that makes one.
extension SettingsView {
  var keySection: HTML {
    """
    <h2 id="keys">API keys</h2>
    \(keyTable)
    \(newKey)
    """
  }

  private var keyTable: HTML {
    .table(
      "API keys",
      """
      <table class="list"><caption>\(keys.count) \(keys.count == 1 ? "key" : "keys"); a key is shown only when \
      it is created</caption>
      <thead><tr><th scope="col">Name</th><th scope="col" class="wide">Role</th>\
      <th scope="col" class="wide">Last used</th><th scope="col" class="wide">Limits</th>\
      <th scope="col" class="wide">Created</th><th scope="col"><span class="hidden">Revoke</span></th></tr></thead>
      <tbody>\(keys.map(row))</tbody></table>
      """)
  }

  private func row(_ key: APIKey) -> HTML {
    let isOwn = key.id == request.userID
    let revocation = confirmation(
      "Revoke", action: "revoke-key", id: key.id,
      name: key.inWords,
      warning: isOwn
        ? "You are signed in with this key and will lose access."
        : "Requests with this key are refused at once.")
    return """
      <tr><th scope="row">\(key.title) \("<span class=\"tag\">yours</span>", if: isOwn)\
      \(expiryTag(of: key))\(.copyID(key.id, of: key.title))\
      <div class="phone">\(key.role.title) · \(use(of: key))<br>\(limits(of: key))</div></th>\
      <td class="wide">\(key.role.title)</td><td class="wide">\(use(of: key))</td>\
      <td class="wide">\(limits(of: key))</td><td class="wide">\(.time(key.createdAt))</td>\
      <td class="act">\(revocation)</td></tr>

      """
  }

  private func expiryTag(of key: APIKey) -> HTML? {
    key.limits.haveExpired(at: request.now) ? "<span class=\"tag bad\">expired</span>" : nil
  }

  private func use(of key: APIKey) -> HTML {
    guard let use = key.lastUse else { return "No use recorded" }
    return "\(.time(use.at)) <span class=\"muted\">from \(use.address)</span>"
  }

  private func limits(of key: APIKey) -> HTML {
    let addresses = key.limits.allow.map(\.description).joined(separator: ", ")
    let rate = key.limits.perSecond.map { "\($0) per second" }
    let words = [addresses.isEmpty ? nil : "From \(addresses)", rate].compactMap(\.self)
    let expiry: HTML? = key.limits.expiresAt.map { "Expires \(.time($0))" }
    guard !words.isEmpty || expiry != nil else { return "No limits" }
    return "\(words.joined(separator: ", "))\("<br>", if: !words.isEmpty && expiry != nil)\(expiry)"
  }

  private var newKey: HTML {
    let form = KeyForm(request.form)
    let roles: [(role: APIKey.Role, description: String)] = [
      (.push, "Push: devices, audiences and sends"), (.analytics, "Analytics: reports"),
      (.device, "Device: public, for use in the app"), (.admin, "Admin: everything in this app"),
    ]
    let options = roles.map { role, description -> HTML in
      """
      <option value="\(role.rawValue)"\(" selected", if: role.rawValue == form.role)>\(description)</option>
      """
    }
    return """
      <details class="card"\(" open", if: isOpen("make-key"))><summary>Create a key</summary>
      <form method="post" action="\(path)">\(request.session.tokenField)
      <div class="columns"><div><label for="key-name">Name</label>
      <input id="key-name" name="name" value="\(form.name)" maxlength="\(APIKey.nameLimit)" autocomplete="off" \
      placeholder="Shop backend"></div>
      <div><label for="role">Role</label><select id="role" name="role">\(options)</select></div></div>
      <label for="allow">Allowed addresses, one per line</label>
      <textarea id="allow" name="allow" rows="2" spellcheck="false" aria-describedby="allow-help">\
      \n\(form.allow)</textarea>
      <p class="help" id="allow-help">Each \(APIKey.Limits.rangeForm). If empty, any address is allowed.</p>
      <div class="columns"><div><label for="per_second">Rate limit (requests per second)</label>
      <input id="per_second" name="per_second" inputmode="numeric" value="\(form.perSecond)" \
      autocomplete="off" aria-describedby="per_second-help">
      <p class="help" id="per_second-help">\(APIKey.Limits.perSecondRange.lowerBound) to \
      \(APIKey.Limits.perSecondRange.upperBound). If empty, there is no limit.</p></div>
      <div><label for="expires">Expires</label>
      <input id="expires" name="expires" type="date" value="\(form.expires)" \
      aria-describedby="expires-help">
      <p class="help" id="expires-help">The key is refused from the start of this day, in UTC. If empty, it \
      never expires.</p></div></div>
      \(confirmation.field(id: "current"))
      <p><button class="primary" name="action" value="make-key">Create key</button></p>
      </form></details>
      """
  }
}
