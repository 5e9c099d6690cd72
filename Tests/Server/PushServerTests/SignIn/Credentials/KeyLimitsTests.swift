import PushModel
import PushPayload
import PushServer
import Testing

@Suite("Keys with limits", .timeLimit(.minutes(10)))
struct KeyLimitsTests {
  private func makeKey(
    _ members: String, role: String = "push", in fixture: Fixture
  ) async -> Fixture.Answer {
    await fixture.request(
      "POST", "/v6/apps/\(fixture.app.id)/keys", role: .admin,
      body: #"{"key":{"role":"\#(role)",\#(members)}}"#)
  }

  private func use(
    _ created: Fixture.Answer, from address: String = "127.0.0.1", in fixture: Fixture
  ) async -> Fixture.Answer {
    let key = created.json["key"]?["key"]?.string ?? ""
    return await fixture.request(
      "GET", "/v6/notifications", role: nil, headers: [("Authorization", Fixture.basic(":" + key))],
      from: address)
  }

  @Test(
    "a key is accepted from its address ranges, and elsewhere the 403 says that it is the address")
  func allow() async throws {
    let fixture = try await Fixture()
    let created = await makeKey(#""allow":["192.0.2.0/25","2001:db8::/33"]"#, in: fixture)
    #expect(created.status == 201)
    #expect(created.json["key"]?["allow"] == ["192.0.2.0/25", "2001:db8::/33"])
    for (address, status) in [
      ("192.0.2.127", 200), ("192.0.2.128", 403), ("2001:db8:7fff::1", 200),
      ("2001:db8:8000::1", 403), ("::ffff:192.0.2.1", 200), ("::1", 403), ("", 403),
    ] {
      let answer = await use(created, from: address, in: fixture)
      #expect(answer.status == status, "\(address)")
      if status == 403 {
        #expect(answer.error.hasPrefix("this key is not allowed from your address"))
      }
    }
    let list = await fixture.request("GET", "/v6/apps/\(fixture.app.id)/keys", role: .admin)
    #expect(list.json["keys"]?.array?.contains { $0["allow"]?.array?.count == 2 } == true)
  }

  @Test("a key is accepted up to its rate, then 429 until the bucket has filled")
  func perSecond() async throws {
    let fixture = try await Fixture()
    let created = await makeKey(#""per_second":3"#, in: fixture)
    let other = await makeKey(#""per_second":1"#, in: fixture)
    #expect(created.json["key"]?["per_second"] == 3)
    for status in [200, 200, 200, 429] {
      #expect(await use(created, in: fixture).status == status)
    }
    let refused = await use(created, from: "192.0.2.9", in: fixture)
    #expect(refused.status == 429)
    #expect(refused.headers["Retry-After"] == "1")
    #expect(
      refused.error
        == "too many requests with this key, which allows 3 a second; try again in 1 s")
    // Another key has a bucket of its own.
    #expect(await use(other, in: fixture).status == 200)
    #expect(await use(other, in: fixture).status == 429)
    fixture.clock.advance(by: .milliseconds(334))
    #expect(await use(created, in: fixture).status == 200)
    #expect(await use(created, in: fixture).status == 429)
    fixture.clock.advance(by: .seconds(3600))
    for status in [200, 200, 200, 429] {
      #expect(await use(created, in: fixture).status == status)
    }
  }

  @Test(
    "invalid limits are refused with their JSON path",
    arguments: [
      (#""allow":"192.0.2.1""#, 400, "$.key.allow must be an array, not a string"),
      (#""allow":[5]"#, 400, "$.key.allow[0] must be a string, not a number"),
      (
        #""allow":["192.0.2.1","example.com"]"#, 422,
        "$.key.allow[1] must be an address or a range such as 192.0.2.0/24 or 2001:db8::/32"
      ),
      (#""per_second":0"#, 422, "$.key.per_second must be a whole number, 1 to 10000"),
      (#""per_second":10001"#, 422, "$.key.per_second must be a whole number, 1 to 10000"),
      (#""per_second":1.5"#, 422, "$.key.per_second must be a whole number, 1 to 10000"),
      (#""per_second":"1""#, 400, "$.key.per_second must be a whole number, not a string"),
    ])
  func refusals(members: String, status: Int, error: String) async throws {
    let fixture = try await Fixture()
    let answer = await makeKey(members, in: fixture)
    #expect(answer.status == status)
    #expect(answer.error == error)
  }

  @Test("a key has at most 100 ranges and 10000 requests a second")
  func most() async throws {
    let fixture = try await Fixture()
    func ranges(_ count: Int) -> String {
      (0..<count).map { #""10.0.0.\#($0)""# }.joined(separator: ",")
    }
    let most = await makeKey(#""allow":[\#(ranges(100))],"per_second":10000"#, in: fixture)
    #expect(most.status == 201)
    let over = await makeKey(#""allow":[\#(ranges(101))]"#, in: fixture)
    #expect(over.error == "$.key.allow must have at most 100 ranges")
  }
}
