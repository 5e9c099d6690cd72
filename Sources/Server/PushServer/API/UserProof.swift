import PushCrypto
import PushPayload
import PushStore
import UserTokens
import _HTTPServer
import _OpenSSLCrypto

/// The proof of a device's user, which a caller with a device key gives with a user token.
///
/// A device key is public. Without a proof anyone could register a device of their own as anybody's
/// and receive that user's pushes.
struct UserProof {
  /// The header with the user token.
  static let header = "Martlet-User-Token"

  private enum Token {
    case missing
    case invalid(String)
    case valid(UserToken)
  }

  private let token: Token
  private let identity: App.Identity

  /// Reads the user token of a request; `nil` if the app does not ask for a proof.
  ///
  /// Only requests that name a user need this.
  init?(_ call: Call, _ api: API) async throws {
    guard let app = try await api.store.app(call.app()), app.identity != .off else { return nil }
    identity = app.identity
    guard let text = call.request.header(Self.header) else {
      token = .missing
      return
    }
    let now = api.clock.now()
    let known = try await api.store.identityKeys(app: app.id)
    let valid = known.filter { !$0.hasExpired(at: now) }
    guard known.isEmpty || !valid.isEmpty else {
      token = .invalid("cannot be verified: the app's identity keys have expired")
      return
    }
    let keys = valid.compactMap { try? OpenSSLCrypto().publicKey(pem: $0.pem) }
    do throws(UserTokenError) {
      token = .valid(
        try UserToken(
          text, audience: app.bundleID, keys: keys, now: now.milliseconds / 1000))
    } catch {
      token = .invalid(error.message)
    }
  }

  /// Drops the user id and the e-mail address of an update if the app requires a proof and they have none.
  ///
  /// `null` is taken without a proof: an app that signs its user out has no token any more, and
  /// a device without a user receives nobody's pushes.
  static func check(
    _ reader: inout DevicePatchReader, for call: Call, _ api: API
  ) async throws {
    let patch = reader.patch
    guard patch.userID.text != nil || patch.userEmail.text != nil,
      let proof = try await UserProof(call, api)
    else { return }
    if let id = patch.userID.text {
      let problem = proof.problem(with: id, claim: "sub", \.userID)
      if proof.drops(problem, api.metrics) { reader.drop(\.userID, named: "user_id", problem) }
    }
    if let email = patch.userEmail.text {
      let problem = proof.problem(with: email, claim: "email", \.email)
      if proof.drops(problem, api.metrics) {
        reader.drop(\.userEmail, named: "user_email", problem)
      }
    }
  }

  /// The reason why a value is not proven, to follow its path in a message; `nil` if it is proven.
  private func problem(
    with value: String, claim: String, _ member: (UserToken) -> String?
  ) -> String? {
    switch token {
    case .missing: return "is taken from a device key only with the header \(Self.header)"
    case .invalid(let message): return "is not proven: \(Self.header) \(message)"
    case .valid(let token):
      // Bytes are compared, as in the store, because texts that look the same may be two users.
      guard let proven = member(token), proven.utf8.elementsEqual(value.utf8) else {
        return "is not proven: it must be the claim \(claim) of \(Self.header)"
      }
      return nil
    }
  }

  private func drops(_ problem: String?, _ metrics: ServerMetrics) -> Bool {
    switch (problem, identity) {
    case (nil, _): metrics.named(.proven)
    case (_, .required): metrics.named(.dropped)
    default: metrics.named(.unproven)
    }
    return problem != nil && identity == .required
  }
}

extension DevicePatch.Edit<String?> {
  /// The text that the edit sets; `nil` if the edit keeps or removes the text.
  fileprivate var text: String? { if case .set(let text) = self { text } else { nil } }
}
