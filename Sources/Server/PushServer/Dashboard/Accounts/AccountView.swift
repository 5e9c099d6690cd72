import Markup
import PushModel

/// The page of the user's own account.
struct AccountView {
  /// The result of a form.
  struct Result {
    var notice: String?
    var problem: String?
    /// The id of the field that the problem is about.
    var field: String?
    var status = 422
  }

  var request: AccountRequest
  var sessions: [AccountSession]
  /// The number of recovery codes that are left.
  var recoveryCodes: Int
  var passkeys: [Passkey]
  var result: Result

  var path: String { AccountPages.path }
  var token: HTML { request.session.tokenField }

  var html: HTML {
    """
    <p><a href="/">Dashboard</a></p>
    <div class="head"><h1>Your account</h1>\
    <form method="post" action="/sign-out">\(token)<button>Sign out</button></form></div>
    \(result.problem.map { HTML.problem($0, at: result.field) })
    \(result.notice.map { "<p class=\"note\" role=\"status\">\($0)</p>" as HTML })
    \(request.router.site.refuses(request.account) ? missingFactor : nil)
    \(HTML.facts("Account", [("Name", .text(request.account.displayName)), ("Email", .text(request.account.email))]))
    <h2>Password</h2>
    \(request.account.password == nil ? noPassword : password)
    \(request.router.openID.map { provider($0.provider) })
    \("<h2>Second factor</h2>\n", if: hasSecondFactor)\(hasSecondFactor ? secondFactor : nil)
    \(offersPasskeys ? passkeySection : nil)
    <h2>Sessions</h2>
    \(sessionTable)
    """
  }

  func current(_ id: String) -> HTML {
    """
    <label for="\(id)">Current password</label>
    <input id="\(id)" name="current" type="password" required autocomplete="current-password">
    """
  }

  private var password: HTML {
    """
    <details class="card"\(" open", if: isRefused("password"))>\
    <summary>Change the password</summary>
    <form method="post" action="\(path)">\(token)
    <input type="hidden" name="email" value="\(request.account.email)" autocomplete="username">
    \(current("current"))
    \(PasswordFields.html(title: "New password", invalid: result.field))
    <p class="help">Your other sessions end.</p>
    <p><button class="primary" name="action" value="password">Change password</button></p>
    </form></details>
    """
  }

  private var noPassword: HTML {
    "<p>You have none. An admin can give you a link with which you choose one.</p>"
  }

  private var missingFactor: HTML {
    """
    <p class="note" role="status">Admins need a second factor on this server. Set up an authenticator app below; until \
    then the dashboard opens nothing else.</p>
    """
  }

  /// A person who signs in only with a provider has the provider's second factor.
  private var hasSecondFactor: Bool {
    request.account.password != nil || request.account.secondFactor != nil
  }

  private func provider(_ provider: IdentityProvider) -> HTML {
    let isConnected = request.account.isConnected
    let button: HTML =
      isConnected
      ? "<button class=\"danger\" name=\"action\" value=\"disconnect\">Disconnect</button>"
      : "<button class=\"primary\" name=\"action\" value=\"connect\">Connect</button>"
    let form: HTML = """
      <details class="card"\(" open", if: isRefused("connect") || isRefused("disconnect"))>\
      <summary>\(isConnected ? "Stop signing in" : "Sign in") with \(provider.name)</summary>
      <form method="post" action="\(path)">\(token)\(current("current-provider"))
      <p>\(button)</p></form></details>
      """
    return """
      <h2>\(provider.name)</h2>
      \("<p>You can sign in with it.</p>", if: isConnected)
      \(request.account.password == nil ? nil : form)
      """
  }

  func isRefused(_ action: String) -> Bool {
    result.problem != nil && request.form["action"] == action
  }

  private var secondFactor: HTML {
    guard request.account.secondFactor != nil else {
      return """
        <details class="card"\(" open", if: request.router.site.refuses(request.account))><summary>Set up an authenticator app</summary>
        <p>After the password you enter a code that an app on your phone shows.</p>
        <form method="post" action="\(path)">\(token)\(current("current-set-up"))
        <p><button class="primary" name="action" value="set-up">Set up</button></p></form></details>
        """
    }
    return """
      <p>An authenticator app is set up. \(recoveryCodes) of \(RecoveryCode.count) recovery codes are left\
      \(recoveryCodes < 3 ? "; set the app up again for new ones" : "").</p>
      <details class="card"><summary>Set up another app, with new recovery codes</summary>
      <form method="post" action="\(path)">\(token)\(current("current-set-up"))
      <p><button name="action" value="set-up">Set up</button></p></form></details>
      \(request.mayTurnOffSecondFactor ? turnOff : nil)
      """
  }

  private var turnOff: HTML {
    """
    <details class="card"><summary>Turn the second factor off</summary>
    <form method="post" action="\(path)">\(token)\(current("current-turn-off"))
    <p><button class="danger" name="action" value="turn-off">Turn off</button></p></form></details>
    """
  }

  private var sessionTable: HTML {
    let rows = sessions.map { session -> HTML in
      let isOwn = session.hash == request.person.session
      let end: HTML = """
        <form method="post" action="\(path)">\(token)\
        <input type="hidden" name="session" value="\(Identifiers.hex(session.hash))">\
        <button name="action" value="end-session">End<span class="hidden"> the session of \(session.agentName), \
        \(session.address)</span></button></form>
        """
      return """
        <tr><th scope="row">\(session.agentName) \("<span class=\"tag\">this one</span>", if: isOwn)\
        <div class="phone">\(session.address), last used \(.time(session.seenAt))</div></th>\
        <td class="wide">\(session.address)</td><td class="wide">\(.time(session.createdAt))</td>\
        <td class="wide">\(.time(session.seenAt))</td>\
        <td>\(isOwn ? nil : end)</td></tr>
        """
    }
    return """
      \(HTML.table("Sessions", """
        <table class="list"><caption>\(sessions.count) \(sessions.count == 1 ? "session" : "sessions")</caption>
        <thead><tr><th scope="col">Browser</th><th scope="col" class="wide">Address</th>\
        <th scope="col" class="wide">Signed in</th><th scope="col" class="wide">Last used</th><th scope="col">End</th></tr></thead><tbody>\(rows)</tbody></table>
        """))
      \(sessions.count > 1 ? endOthers : nil)
      """
  }

  private var endOthers: HTML {
    """
    <form method="post" action="\(path)">\(token)\
    <button name="action" value="end-others">End all other sessions</button></form>
    """
  }
}

extension AccountSession {
  /// The browser by its most common name, so that people can tell their sessions apart.
  var agentName: String {
    let names = [
      ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"),
      ("Safari/", "Safari"),
    ]
    let systems = [
      ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Mac OS X", "Mac"),
      ("Windows", "Windows"), ("Linux", "Linux"),
    ]
    let name = names.first { agent.contains($0.0) }?.1
    let system = systems.first { agent.contains($0.0) }?.1
    guard let name else { return agent.isEmpty ? "Unknown browser" : String(agent.prefix(40)) }
    return system.map { "\(name) on \($0)" } ?? name
  }
}
