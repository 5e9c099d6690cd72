import PushModel

extension Actions {
  /// The URL at which the provider asks its user to sign in, and then leads the browser back.
  ///
  /// - Throws: ``ProviderProblem`` `.unavailable` if the provider cannot be reached, or the server knows no URL of its
  ///   own; the log says why.
  func providerURL(
    for attempt: ProviderAttempt, at client: OpenIDClient
  ) async throws(ProviderProblem) -> String {
    do {
      return try await client.authorizationURL(attempt.secrets, redirectURL: providerCallback())
    } catch {
      log(LogLine("signing in with \(client.provider.issuer) failed: \(error)"))
      throw .unavailable
    }
  }

  private func providerCallback() throws(RequestError) -> String {
    try address() + ProviderAttempt.callbackPath
  }

  /// Marks an attempt as used: from then on, a copy of the callback and its cookie is worth nothing.
  ///
  /// - Returns: `false` if it was used before.
  func use(_ attempt: ProviderAttempt) async throws -> Bool {
    try await store.endSession(attempt.id, until: attempt.expiresAt, at: clock.now())
  }

  /// Learns from the provider who has signed in, and opens a session for the account, or connects it.
  ///
  /// `issuer` is the `iss` of the browser's request.
  ///
  /// - Returns: The session; `nil` if the attempt was to connect the account of an open session.
  /// - Throws: ``ProviderProblem`` if it opens no account.
  func finish(
    _ attempt: ProviderAttempt, code: String, issuer: String?, at client: OpenIDClient,
    in browser: Browser, by visitor: Visitor
  ) async throws -> OpenedSession? {
    guard waitBeforeSignIn(.provider, account: "", from: visitor.address) == nil else {
      throw ProviderProblem.limited
    }
    let account: Account
    do {
      let identity = try await client.identity(
        code: code, issuer: issuer, attempt.secrets, redirectURL: providerCallback())
      account = try await self.account(of: identity, for: attempt.goal, at: client, by: visitor)
    } catch let failure as ProviderFailure {
      _ = try await refused(.signIn, from: visitor.address)
      log(LogLine("signing in with \(client.provider.issuer) failed: \(failure)"))
      throw ProviderProblem.refused
    }
    signInSucceeded(.provider, account: "", from: visitor.address)
    if case .connection = attempt.goal { return nil }
    return try await openSession(
      of: account, isConfirmed: account.secondFactor == nil, isProven: false, in: browser,
      by: visitor)
  }

  /// The account that an identity opens.
  ///
  /// - Throws: ``ProviderProblem`` if it opens no account.
  private func account(
    of identity: OpenIDClient.Identity, for goal: ProviderAttempt.Goal, at client: OpenIDClient,
    by visitor: Visitor
  ) async throws -> Account {
    let proven = AccountIdentity(issuer: client.provider.issuer, subject: identity.subject)
    let now = clock.now()
    switch goal {
    case .connection(let session):
      guard let account = try await store.account(session: session, at: now) else {
        throw ProviderProblem.expired
      }
      return try await connect(proven, to: account, in: session, by: visitor)
    case .invitation(let token):
      let link = AccountLink.hash(of: token)
      guard let account = try await store.account(link: link, at: now) else {
        throw ProviderProblem.expired
      }
      var name = account.name
      if name.isEmpty { name = try await client.userInfo(of: identity).name ?? "" }
      do throws(StoreError) {
        let redeemed = try await connecting(account, by: visitor).redeem(
          link: link, name: name, with: .identity(proven), at: now)
        guard let redeemed else { throw StoreError(.notFound, "the link was used meanwhile") }
        return redeemed
      } catch {
        throw error.code == .conflict ? ProviderProblem.taken : .expired
      }
    case .signIn:
      if let account = try await store.account(proven) { return account }
      let claims = try await client.userInfo(of: identity)
      guard let email = claims.verifiedEmail,
        let account = try await store.account(email: email.text)
      else { throw ProviderProblem.unknown }
      return try await connect(proven, to: account, name: claims.name, by: visitor)
    }
  }

  private func connect(
    _ identity: AccountIdentity, to account: Account, name: String? = nil,
    in session: [UInt8]? = nil, by visitor: Visitor
  ) async throws -> Account {
    if let refusal = try await connecting(account, by: visitor)
      .connect(identity, to: account.id, name: name, in: session)
    {
      throw [.noAccount, .changed].contains(refusal) ? ProviderProblem.expired : .taken
    }
    // The session is opened for the account as it is with the identity.
    guard let connected = try await store.account(identity) else { throw ProviderProblem.expired }
    return connected
  }

  /// The store that records who connects an account.
  private func connecting(_ account: Account, by visitor: Visitor) -> any PushStore {
    store(
      forServer: visitor.identified(as: .person(Person(account))), "account.connect", account.id)
  }
}
