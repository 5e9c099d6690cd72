import Markup
import PushCrypto
import PushModel
import PushPayload
import _HTTPServer

/// The passkeys on the page of the user's own account: adding and naming them.
enum PasskeyPages {
  /// The page that asks the browser for a new passkey.
  static func offer(_ request: AccountRequest) async throws -> HTTPResponse {
    let (party, challenge, known) = try await request.router.actions.offerPasskey(
      of: RelyingParty(request.call, request.router), confirmedBy: request.form.password("current"),
      by: request.owner)
    let (account, session) = (request.account, request.session)
    let options: JSONValue = [
      "challenge": .string(Base64URL.encode(challenge.bytes)),
      "rp": ["id": .string(party.id), "name": "Martlet"],
      "user": [
        "id": .string(Base64URL.encode(Array(account.id.utf8))), "name": .string(account.email),
        "displayName": .string(account.displayName),
      ],
      "pubKeyCredParams": .array(
        COSEKey.algorithms.map { ["type": "public-key", "alg": .integer(Int64($0))] }),
      "excludeCredentials": .array(
        known.map { ["type": "public-key", "id": .string(Base64URL.encode($0.id))] }),
      "authenticatorSelection": [
        "residentKey": "required", "requireResidentKey": true, "userVerification": "required",
      ],
      "attestation": "none", "timeout": .integer(PasskeyForm.timeout),
    ]
    let sealed = challenge.sealed(with: request.router.secretKey, to: .addition, for: session)
    let main: HTML = """
      <div class="card narrow">
      <h1>Add a passkey</h1>
      <p>Your browser asks where to keep it: on this device, on another one, or on a security key.</p>
      <noscript><p class="alert">Passkeys need JavaScript.</p></noscript>
      <p class="alert" id="passkey-missing" hidden>This browser has no passkeys.</p>
      \(PasskeyForm.opening(action: AccountPages.path, options))
      \(session.tokenField)
      <input type="hidden" name="action" value="add-passkey">
      \(PasskeyForm.fields(sealed, signs: false))
      <label for="name">Name</label>
      <input id="name" name="name" required maxlength="\(Passkey.nameLimit)" autocomplete="off" \
      aria-describedby="name-help">
      <p class="help" id="name-help">By which you know it again, such as the device or the password manager.</p>
      <button class="primary">Continue</button>
      </form>
      <p><a class="button" href="\(AccountPages.path)">Cancel</a></p>
      </div>
      """
    return WebPage(title: "Add a passkey", main: main, scripts: ["passkey.js"]).response()
  }

  static func add(_ request: AccountRequest) async throws -> HTTPResponse {
    let passkey = try await request.router.actions.addPasskey(
      PasskeyAnswer(request.form), named: request.form["name"] ?? "",
      of: RelyingParty(request.call, request.router), in: request.session, by: request.owner)
    return try await AccountPages.page(
      request, .init(notice: "You can sign in with the passkey “\(passkey.name)” now."))
  }
}

extension AccountView {
  /// The passkeys, and the forms to add and to remove one.
  var passkeySection: HTML {
    let rows = passkeys.map { passkey -> HTML in
      let used: HTML = passkey.usedAt.map { .time($0) } ?? "never"
      return """
        <tr><th scope="row">\(passkey.name)</th><td>\(.time(passkey.createdAt))</td><td>\(used)</td></tr>
        """
    }
    let table = HTML.table(
      "Passkeys",
      """
      <table><caption>\(passkeys.count) \(passkeys.count == 1 ? "passkey" : "passkeys")</caption>
      <thead><tr><th scope="col">Name</th><th scope="col">Added</th><th scope="col">Last used</th></tr></thead>\
      <tbody>\(rows)</tbody></table>
      """)
    let options = passkeys.map { passkey -> HTML in
      "<option value=\"\(Identifiers.hex(passkey.id))\">\(passkey.name)</option>"
    }
    let removal: HTML = """
      <details class="card"\(" open", if: isRefused("remove-passkey"))><summary>Remove a passkey</summary>
      <form method="post" action="\(path)">\(token)
      <label for="passkey">Passkey</label>
      <select id="passkey" name="passkey">\(options)</select>
      \(current("current-remove-passkey"))
      <p><button class="danger" name="action" value="remove-passkey">Remove</button></p></form></details>
      """
    return """
      <h2 id="passkeys">Passkeys</h2>
      \(passkeys.isEmpty ? "<p>With a passkey you sign in by a finger, a face or a PIN, without your password and a code.</p>" : table)
      <details class="card"\(" open", if: isRefused("offer-passkey"))><summary>Add a passkey</summary>
      <form method="post" action="\(path)">\(token)\(current("current-passkey"))
      <p><button class="primary" name="action" value="offer-passkey">Add a passkey</button></p></form></details>
      \(passkeys.isEmpty ? nil : removal)
      """
  }

  /// Whether the server's address can have passkeys, and the person has a password to confirm changes.
  var offersPasskeys: Bool {
    request.account.password != nil && RelyingParty(request.call, request.router) != nil
  }
}
