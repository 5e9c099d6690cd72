import PushPayload
import Testing

@testable import APNsConformance

@Suite("The decisions of a scripted server")
struct PeerScriptTests {
  private static func request(_ authorization: String = "bearer a") -> PeerScript.Request {
    PeerScript.Request(
      connection: 1, fields: [":path": "/3/device/0A0B", "authorization": authorization], body: [])
  }

  private static func reaction(
    _ action: ClientCase.Reaction.Action, request: Int? = nil, firstToken: Bool? = nil
  ) -> ClientCase.Reaction {
    ClientCase.Reaction(
      request: request, firstToken: firstToken, action: action, status: 410,
      reason: "Unregistered", timestamp: 7, code: 8, streams: 3)
  }

  @Test(
    "each action is one order, and a request that meets none is accepted",
    arguments: [
      (.answer, .answer(status: 410, reason: "Unregistered", timestamp: 7)),
      (.reset, .reset(code: 8)), (.goAwayAfter, .goAway(answers: true)),
      (.goAwayBefore, .goAway(answers: false)), (.close, .close), (.ping, .ping),
      (.limit, .limit(3)),
    ] as [(ClientCase.Reaction.Action, PeerScript.Order)])
  func actions(action: ClientCase.Reaction.Action, order: PeerScript.Order) {
    var script = PeerScript([Self.reaction(action, request: 2)])
    #expect(script.on(Self.request()) == PeerScript.accept)
    #expect(script.on(Self.request()) == order)
    #expect(script.on(Self.request()) == PeerScript.accept)
    #expect(script.requests.map(\.token) == ["0a0b", "0a0b", "0a0b"])
  }

  @Test("a reaction to the first provider token leaves requests with another one alone")
  func firstToken() {
    var script = PeerScript([Self.reaction(.close, firstToken: true)])
    #expect(script.on(Self.request()) == .close)
    #expect(script.on(Self.request("bearer b")) == PeerScript.accept)
    #expect(script.on(Self.request()) == .close)
  }

  @Test(
    "a provider token with a fault is named",
    arguments: [
      (ProviderTokenCase(header: ["alg": "HS256"]), "alg"),
      (ProviderTokenCase(header: ["kid": "OTHER12345"]), "kid"),
      (ProviderTokenCase(claims: ["iss": "OTHER12345"]), "iss"),
      (ProviderTokenCase(claims: ["iat": "1764370800"]), "iat"),
      (ProviderTokenCase(signature: ProviderTokenCase.Signature.none), "signature"),
      (ProviderTokenCase(signature: .otherKey), "verify"),
    ] as [(ProviderTokenCase, String)])
  func tokens(token: ProviderTokenCase, word: String) throws {
    let identity = try ProviderIdentity.made()
    var requests = ServerRequests(
      ServerTarget(host: "localhost", port: 1, identity: identity), now: 1_764_370_800)
    let good = try requests.make(ServerCase.Request())
    #expect(identity.problem(inAuthorization: good["authorization"]) == nil)
    let bad = try requests.make(ServerCase.Request(token: token))
    #expect(identity.problem(inAuthorization: bad["authorization"])?.contains(word) == true)
    #expect(identity.problem(inAuthorization: nil) != nil)
  }
}
