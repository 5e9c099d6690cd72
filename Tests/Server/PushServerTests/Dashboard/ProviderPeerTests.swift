import Foundation
import PushModel
import PushPayload
import TestSupport
import Testing

@testable import PushServer

/// The way through a provider that nobody here wrote: oidc-provider-mock with Authlib, which signs with RS256.
@Suite("Signing in with an OpenID provider by other authors", .timeLimit(.minutes(10)))
struct ProviderPeerTests {
  private static let people = [
    #"{"sub":"ada","email":"ada@example.com","email_verified":true,"name":"Ada Lovelace"}"#,
    #"{"sub":"eve","email":"ada@example.com","email_verified":false}"#,
  ]

  /// Presses the button, answers the provider's page, and returns the page to which it led.
  private static func signIn(
    _ client: DashboardClient, _ peer: OpenIDPeer, as person: String?
  ) async throws -> String? {
    _ = await client.get("/sign-in")
    let opening = await client.post("/sign-in/provider", [])
    let target = try #require(ProviderSignInTests.target(opening), "\(client.lines.all)")
    try #require(target.hasPrefix(peer.issuer + "/"), "\(client.lines.all)")
    let back = try await peer.answer(target, as: person)
    try #require(back.hasPrefix("https://push.example/sign-in/provider/callback?"), "\(back)")
    return ProviderSignInTests.target(
      await client.arrive(back.replacing("https://push.example", with: "")))
  }

  private static func client(
    _ fixture: Fixture, _ peer: OpenIDPeer, id: String = "martlet", secret: String = "any"
  ) -> DashboardClient {
    DashboardClient(
      fixture,
      identityProvider: IdentityProvider(issuer: peer.issuer, clientID: id, clientSecret: secret))
  }

  @Test("people sign in, and those who are not invited or do not agree do not")
  func wholeWay() async throws {
    let fixture = try await Fixture()
    let email = try #require(EmailAddress("ada@example.com"))
    _ = try await fixture.store.invite(
      email, name: "", grant: .init(.author, app: fixture.app.id), by: .commandLine,
      at: fixture.clock.now)
    let peer = try await OpenIDPeer(Self.people)
    // The provider's clock is this machine's.
    fixture.clock.advance(by: ServerClock.system.now().since(fixture.clock.now))
    let eve = Self.client(fixture, peer)
    #expect(try await Self.signIn(eve, peer, as: "eve") == "/sign-in?provider=unknown")
    #expect(try await Self.signIn(eve, peer, as: nil) == "/sign-in?provider=cancelled")
    let ada = Self.client(fixture, peer)
    #expect(try await Self.signIn(ada, peer, as: "ada") == ada.path("home"))
    #expect(await ada.get(ada.path("sends")).text.contains("Ada Lovelace"))
    #expect(try await Self.signIn(eve, peer, as: "eve") == "/sign-in?provider=unknown")
    await peer.stop()
    #expect(
      await ada.post("/sign-in/provider", []).status == 200, "what is known is used for an hour")
    let late = Self.client(fixture, peer)
    _ = await late.get("/sign-in")
    let opening = await late.post("/sign-in/provider", [])
    #expect(ProviderSignInTests.target(opening) == "/sign-in?provider=unavailable")
    #expect(late.lines.all.first?.contains("gave no answer: ") == true, "\(late.lines.all)")
  }

  @Test("a client's secret is shown to the provider, and a wrong one signs nobody in")
  func secrets() async throws {
    let fixture = try await Fixture()
    let email = try #require(EmailAddress("ada@example.com"))
    _ = try await fixture.store.invite(
      email, name: "", grant: .init(.author, app: fixture.app.id), by: .commandLine,
      at: fixture.clock.now)
    let peer = try await OpenIDPeer(Self.people, registered: true)
    fixture.clock.advance(by: ServerClock.system.now().since(fixture.clock.now))
    let registered = try JSONValue(parsing: await peer.register())
    let id = try #require(registered["client_id"]?.string)
    let secret = try #require(registered["client_secret"]?.string)
    let wrong = Self.client(fixture, peer, id: id, secret: secret + "x")
    #expect(try await Self.signIn(wrong, peer, as: "ada") == "/sign-in?provider=refused")
    #expect(
      wrong.lines.all.contains { $0.contains("the token endpoint answered 401, invalid_client") },
      "\(wrong.lines.all)")
    #expect(wrong.lines.all.allSatisfy { !$0.contains(secret) })
    let right = Self.client(fixture, peer, id: id, secret: secret)
    #expect(try await Self.signIn(right, peer, as: "ada") == right.path("home"))
    await peer.stop()
  }
}
