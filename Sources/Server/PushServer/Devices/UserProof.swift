import PushCrypto
import PushModel
import PushPayload
import UserTokens
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

  /// Checks the user token of a claim; `nil` if the app does not ask for a proof.
  ///
  /// Only updates that name a user need this.
  init?(
    _ claim: DeviceClaim, app id: String, at now: Timestamp, _ store: any PushStore
  ) async throws(StoreError) {
    guard let app = try await store.app(id), app.identity != .off else { return nil }
    identity = app.identity
    guard let text = claim.userToken else {
      token = .missing
      return
    }
    let known = try await store.identityKeys(app: app.id)
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

  /// Whether an update names a user, so that it needs a proof.
  ///
  /// `null` is taken without a proof: an app that signs its user out has no token any more, and
  /// a device without a user receives nobody's pushes.
  static func isNeeded(for patch: DevicePatch) -> Bool {
    patch.userID.text != nil || patch.userEmail.text != nil
  }

  /// Drops the user id and the e-mail address of an update if the app requires a proof and they have none.
  func dropUnproven(in update: inout DevicePatchReader, _ metrics: ServerMetrics) {
    if let id = update.patch.userID.text {
      let problem = problem(with: id, claim: "sub", \.userID)
      if drops(problem, metrics) { update.drop(\.userID, named: "user_id", problem) }
    }
    if let email = update.patch.userEmail.text {
      let problem = problem(with: email, claim: "email", \.email)
      if drops(problem, metrics) { update.drop(\.userEmail, named: "user_email", problem) }
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
