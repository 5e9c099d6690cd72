import Markup
import PushModel
import _HTTPServer
import _QRCode

/// The page that sets up an authenticator app.
struct SecondFactorView {
  var request: AccountRequest
  var offer: SecondFactorOffer
  var problem: String?

  /// The name under which authenticator apps list the code.
  private static let issuer = "Martlet"

  func response(status: Int = 200) -> HTTPResponse {
    WebPage(title: "Set up an authenticator app", main: html).response(status: status)
  }

  private var html: HTML {
    let password = offer.password
    let uri = password.uri(issuer: Self.issuer, account: request.account.email)
    let groups = stride(from: 0, to: password.base32.count, by: 4).map {
      password.base32.dropFirst($0).prefix(4)
    }.joined(separator: " ")
    let sealed = offer.sealed(
      with: request.router.secretKey, for: request.person, in: request.session)
    return """
      <div class="card narrow">
      <h1>Set up an authenticator app</h1>
      \(problem.map { HTML.problem($0, at: "code") })
      <ol>
      <li>Scan this with the app on your phone:
      <p>\(QRCode(uri)?.svg(label: "QR code of the key below"))</p>
      <p>Or enter the key: <code id="secret">\(groups)</code></p>
      <p class="help">On the phone itself, <a href="\(uri)">open it in the app</a>. The key is for codes of six digits, \
      every 30 seconds, with SHA-1.</p></li>
      <li>Enter the code that the app shows.</li>
      </ol>
      <form method="post" action="\(AccountPages.path)">\(request.session.tokenField)
      <input type="hidden" name="secret" value="\(sealed)">
      <label for="code">Code</label>
      <input id="code" name="code" required autocomplete="one-time-code" inputmode="numeric" maxlength="10"\
      \(" aria-invalid=\"true\"", if: problem != nil)>
      <p class="row"><button class="primary" name="action" value="turn-on">Turn on</button>
      <a class="button" href="\(AccountPages.path)">Cancel</a></p></form>
      </div>
      """
  }

  /// The recovery codes, which are shown once.
  static func codes(_ codes: [String], _ request: AccountRequest) -> WebPage {
    WebPage(
      title: "Recovery codes",
      main: """
        <div class="card narrow">
        <h1>Keep your recovery codes</h1>
        <p class="note" role="status">The second factor is on, and your other sessions were ended.</p>
        <p>Each of these codes signs you in once, in place of the app. Print them or keep them in a password manager: \
        they are shown only now.</p>
        <ul>\(codes.map { "<li><code>\($0)</code></li>\n" as HTML })</ul>
        <p><a class="button primary" href="\(AccountPages.path)">I have kept them</a></p>
        </div>
        """)
  }
}
