// What a Mac says of the libraries that run on Linux: the compiler must refuse each with advice.
import APNs
import APNsSandbox
import NotificationHost
import NotificationHostTesting

func test() async throws {
  // expected-error@+1 {{'TestPhone' is unavailable: NotificationHostTesting runs on Linux: docker run}}
  let phone = try TestPhone(["https://cdn.example/a.png": .init(status: 404)]) { 0 }
  let report = try await phone.deliver("{}")
  report.expect(.displayed)  // expected-error {{is unavailable}}
}

func send(
  _ client: APNsClient,  // expected-error {{libssl-dev && swift run'}}
  _ sandbox: VirtualAPNs  // expected-error {{libssl-dev && swift test'}}
) {}
