import Foundation
import NotificationHost
import PushPayload
import RichNotifications
import Synchronization
import TestSupport
import Testing
import _Curl
import _HTTPServer
import _TLS

/// libcurl against a local TLS server with a private certificate authority.
@Suite("A real network", .timeLimit(.minutes(10)))
struct RealNetworkTests {
  struct World {
    let server: HTTPServer
    let folder: TemporaryFolder
    var base: String { "https://localhost:\(server.port)" }

    init() throws {
      folder = TemporaryFolder()
      let authority = try CertificateAuthority()
      _ = try folder.write(authority.certificatePEM.utf8, to: "ca.pem")
      let leaf = try authority.issue(hosts: ["localhost", "127.0.0.1"])
      var configuration = HTTPServer.Configuration()
      configuration.tls = (leaf.certificatePEM, leaf.keyPEM)
      server = try HTTPServer(configuration, handler: Self.answer)
    }

    /// `/media/NAME` is a fixture; the rest misbehaves as it is called.
    @Sendable static func answer(_ request: HTTPRequest) async -> HTTPResponse {
      let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      switch request.path {
      case "/endless":
        let piece = png + [UInt8](repeating: 0, count: 65_536)
        return HTTPResponse(status: 200, body: .stream(AsyncStream(unfolding: { piece })))
      case "/stalled":
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        continuation.yield(png)
        return HTTPResponse(status: 200, body: .stream(stream))
      case "/redirect":
        return HTTPResponse(status: 302, headers: [("Location", "/media/picture.png")])
      case let path where path.hasPrefix("/downgrade/"):
        let place = "http://localhost:\(path.dropFirst("/downgrade/".count))/media/picture.png"
        return HTTPResponse(status: 302, headers: [("Location", place)])
      case "/loop": return HTTPResponse(status: 302, headers: [("Location", "/loop")])
      case "/missing": return HTTPResponse(status: 404, body: Array("not here".utf8))
      default:
        let name = String(request.path.split(separator: "/").last ?? "")
        return HTTPResponse(status: 200, body: .file(Fixtures.url("media/\(name)").path()))
      }
    }

    func deliver(
      _ path: String, base: String? = nil, caFile: String? = "ca.pem",
      deadline: Duration = .seconds(25), allowsPrivateAddresses: Bool = true
    ) async throws -> (report: DeliveryReport, reason: MediaFailure.Reason?) {
      let phone = try Phone()
      let caFile = caFile.map { folder.file($0).path() }
      let loader = RealNetwork(CurlMediaLoader(caFile: caFile), clock: phone.clock)
      let reason = Reason()
      var configuration = RichConfiguration(deadline: deadline)
      configuration.media.allowsPrivateAddresses = allowsPrivateAddresses
      configuration.delivered = { reason.set($0.media.first?.reason) }
      let json =
        #"{"aps":{"alert":"B","mutable-content":1},"_mediaUrl":"\#(base ?? self.base)\#(path)"}"#
      return (try await phone.deliver(json, configuration, over: loader), reason.value)
    }
  }

  @Test(
    "media are fetched over HTTPS with a private authority",
    arguments: [
      ("cloudy.gif", "com.compuserve.gif"), ("picture.png", "public.png"),
      ("gold.mp4", "public.mpeg-4"),
    ])
  func fetches(name: String, type: String) async throws {
    let world = try World()
    let (report, _) = try await world.deliver("/media/\(name)")
    #expect(report.attachments.map(\.type) == [type])
    await world.server.stop()
  }

  @Test("redirects are followed, within reason")
  func redirects() async throws {
    let world = try World()
    #expect(try await world.deliver("/redirect").report.attachments.count == 1)
    #expect(try await world.deliver("/loop").reason == .redirects)
    await world.server.stop()
  }

  @Test("a redirect to http: is not followed: the plain server is asked for nothing")
  func downgrade() async throws {
    let world = try World()
    let requests = Mutex(0)
    let plain = try HTTPServer(HTTPServer.Configuration()) { request in
      requests.withLock { $0 += 1 }
      return await World.answer(request)
    }
    #expect(try await world.deliver("/downgrade/\(plain.port)").reason == .notHTTPS)
    #expect(requests.withLock { $0 } == 0)
    await plain.stop()
    await world.server.stop()
  }

  @Test(
    "with a misbehaving server the text is shown without the picture",
    arguments: [
      ("/missing", MediaFailure.Reason.httpStatus), ("/media/not-an-image.png", .unsupportedType),
      ("/endless", .tooLarge),
    ])
  func misbehaves(path: String, reason: MediaFailure.Reason) async throws {
    let world = try World()
    let (report, actual) = try await world.deliver(path)
    #expect(report.outcome == .displayed && report.attachments.isEmpty)
    #expect(actual == reason)
    await world.server.stop()
  }

  @Test("a stalled body ends at the deadline, which flows in real time")
  func stalled() async throws {
    let world = try World()
    let (report, reason) = try await world.deliver("/stalled", deadline: .milliseconds(200))
    #expect(reason == .timeout)
    #expect(report.outcome == .displayed)
    await world.server.stop()
  }

  @Test("a private server is not contacted unless the app allows it")
  func privateAddress() async throws {
    let world = try World()
    let (report, reason) = try await world.deliver(
      "/media/picture.png", allowsPrivateAddresses: false)
    #expect(report.outcome == .displayed && report.attachments.isEmpty)
    #expect(reason == .privateAddress)
    await world.server.stop()
  }

  @Test("an untrusted server and an unreachable one have different reasons")
  func untrusted() async throws {
    let world = try World()
    #expect(try await world.deliver("/media/picture.png", caFile: nil).reason == .untrusted)
    await world.server.stop()
    #expect(try await world.deliver("/media/picture.png").reason == .network)
  }
}

private final class Reason: Sendable {
  private let state = Mutex<MediaFailure.Reason?>(nil)
  var value: MediaFailure.Reason? { state.withLock { $0 } }
  func set(_ reason: MediaFailure.Reason?) { state.withLock { $0 = reason } }
}
