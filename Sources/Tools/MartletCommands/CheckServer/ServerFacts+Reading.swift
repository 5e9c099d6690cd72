import APNs
import Foundation
import PushModel
import PushPayload
import PushServer
import _EventLoop
import _OpenSSLCrypto
import _TLS

extension ServerFacts {
  /// Reads everything that `serve` with the same settings would use, without changing it.
  init(_ settings: ServeSettings, unknownVariables: [String]) async {
    now = Int64(Date().timeIntervalSince1970 * 1000)
    descriptors = DescriptorLimit.raised().descriptors
    isClockSynchronized = SystemClock.isSynchronized
    self.unknownVariables = unknownVariables
    var settings = settings
    do { try settings.readFiles() } catch { unusableFiles = ["\(error.sentence)"] }
    secretFiles = [Self.secretFile("secret key", settings.secretKeyFile.path)]
    if let files = settings.tlsFiles {
      secretFiles.append(Self.secretFile("key", files.key))
      if let tls = settings.server.tls,
        let identity = try? TLSIdentity(certificatePEM: tls.certificatePEM, keyPEM: tls.keyPEM)
      {
        certificate = (files.certificate, identity.notAfter)
      }
    }
    disks = Self.disks(settings.data)
    database = .failed("")
    do {
      let store = try await settings.data.check()
      database = try await settings.data.facts(isCurrent: store != nil)
      await readSecretKey(settings, store)
    } catch {
      database = .failed("\(error.sentence)")
    }
    hosts = await Self.hosts(settings.endpoints)
  }

  private mutating func readSecretKey(
    _ settings: ServeSettings, _ store: (any PushStore)?
  ) async {
    do {
      if let store {
        _ = try await settings.secretKeyFile.existing(for: store)
      } else {
        _ = try settings.secretKeyFile.read()
      }
    } catch {
      secretKeyProblem = "\(error.sentence)"
    }
  }

  private static func secretFile(_ role: String, _ path: String) -> SecretFile {
    var status = stat()
    let isThere = stat(path, &status) == 0
    return SecretFile(role: role, path: path, mode: isThere ? UInt32(status.st_mode) : nil)
  }

  private static func disks(_ data: DataDirectory) -> [Disk] {
    let text = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    let mounts = MountTable(text ?? "")
    let database = data.database.map {
      URL(filePath: $0).deletingLastPathComponent().standardizedFileURL.path
    }
    let folder = URL(filePath: data.path).standardizedFileURL.path
    let places = [folder] + (database.map { $0 == folder ? [] : [$0] } ?? [])
    return places.compactMap { place in
      // A folder that does not exist yet will be on the disk of the nearest existing parent.
      var existing = URL(filePath: place)
      while !FileManager.default.fileExists(atPath: existing.path), existing.path != "/" {
        existing.deleteLastPathComponent()
      }
      let path = existing.resolvingSymlinksInPath().path
      var status = statvfs()
      guard statvfs(path, &status) == 0 else { return nil }
      return Disk(
        folder: place,
        freeBytes: Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize)),
        kind: mounts.kind(of: path), holdsDatabase: place == database)
    }
  }

  /// Sends each host one silent push for a device that does not exist, signed with a key that Apple does not know.
  ///
  /// Only an answer shows that name resolution, routing, TLS and HTTP/2 work.
  private static func hosts(_ endpoints: APNsSender.Endpoints) async -> [Host] {
    let names = Set([endpoints.production, endpoints.development]).sorted { $0.host < $1.host }
    return await withTaskGroup(of: (Int, Host).self) { group in
      for (index, endpoint) in names.enumerated() {
        group.addTask {
          let host = Host(
            name: "\(endpoint.host) port \(endpoint.port)", proxy: endpoints.proxy?.description,
            answer: await answer(of: endpoint, endpoints))
          return (index, host)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private static func answer(
    of endpoint: APNsEndpoint, _ endpoints: APNsSender.Endpoints
  ) async -> Host.Answer {
    let key = ProviderTokenCredentials(
      teamID: "MARTLET000", keyID: "CHECK00000", privateKeyPEM: OpenSSLCrypto.makeP256KeyPEM())
    var configuration = APNsClient.Configuration(credentials: .token(key), endpoint: endpoint)
    configuration.extraTrustPEM = endpoints.extraTrustPEM
    configuration.proxy = endpoints.proxy
    configuration.connectTimeout = .seconds(5)
    configuration.requestTimeout = .seconds(5)
    let push = APNsNotification(
      deviceToken: String(repeating: "0", count: 64), topic: "martlet.check", pushType: .background,
      priority: 5, expiration: .oneAttempt, payload: Array(#"{"aps":{"content-available":1}}"#.utf8)
    )
    let start = ContinuousClock.now
    do {
      let outcome = try await APNsClient.with(configuration) { await $0.send(push) }
      let elapsed = ContinuousClock.now - start
      guard outcome.kind == .answered else { return .none(outcome.message ?? "no answer") }
      return .answered(milliseconds: Int(elapsed / .milliseconds(1)))
    } catch {
      return .none("\(error.sentence)")
    }
  }
}
