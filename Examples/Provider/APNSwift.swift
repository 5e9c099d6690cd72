import APNS
import APNSCore
import Foundation

struct Media: Encodable, Sendable {
  enum CodingKeys: String, CodingKey { case imageURL = "image_url" }
  let imageURL = "https://example.com/rain.jpg"
}

@main struct Push {
  static func main() async throws {
    let key = try String(contentsOfFile: "AuthKey.p8", encoding: .utf8)
    let client = APNSClient(
      configuration: .init(
        authenticationMethod: .jwt(
          privateKey: try .init(pemRepresentation: key), keyIdentifier: "KEY1234567",
          teamIdentifier: "TEAM123456"),
        environment: .custom(url: "https://127.0.0.1", port: 2197)),
      eventLoopGroupProvider: .createNew, responseDecoder: JSONDecoder(),
      requestEncoder: JSONEncoder())
    let push = APNSAlertNotification(
      alert: .init(title: .raw("Rain until noon"), body: .raw("Take an umbrella.")),
      expiration: .none, priority: .immediately, topic: "com.example.app", payload: Media(),
      mutableContent: 1)
    let response = try await client.sendAlertNotification(push, deviceToken: "00ff")
    print(response.apnsID?.uuidString ?? "no apns-id")
    try await client.shutdown()
  }
}
