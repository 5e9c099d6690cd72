import FoundationEssentials
import Glibc
import TestSupport
import Testing

@testable import _TLS

/// Tests which of the system's root certificates a client trusts.
@Suite("System root certificates", .timeLimit(.minutes(10)))
struct SystemRootsTests {
  let folder = TemporaryFolder()
  let authority: CertificateAuthority
  /// The context of a server whose certificate ``authority`` signed.
  let server: TLSContext

  init() throws {
    authority = try CertificateAuthority()
    let leaf = try authority.issue(hosts: ["localhost"])
    server = try .server(certificatePEM: leaf.certificatePEM, keyPEM: leaf.keyPEM)
  }

  @Test(
    "the file of roots is skipped only if the folder has hashed names",
    arguments: [
      ("002c0b4f.0", true), ("ABCDEF01.0", true), ("002c0b4f.1", false), ("002c0b4.0", false),
      ("002c0b4f0.0", false), ("authority.0", false), ("anything.0", false),
      ("authority.pem", false), ("", false),
    ])
  func choice(name: String, isHashed: Bool) throws {
    if !name.isEmpty { _ = try folder.write("", to: name) }
    let roots = roots(folder: folder.url.path)
    #expect((roots.file == nil) == isHashed)
    #expect(roots.folder == folder.url.path)
  }

  @Test("one of several folders with hashed names is enough, and a missing folder is ignored")
  func several() throws {
    _ = try folder.write("", to: "002c0b4f.0")
    #expect(roots(folder: "/nowhere:" + folder.url.path).file == nil)
    #expect(roots(folder: "/nowhere").file != nil)
  }

  @Test("a file in SSL_CERT_FILE is read, whatever the folder has")
  func named() throws {
    _ = try folder.write("", to: "002c0b4f.0")
    let file = try folder.write(authority.certificatePEM, to: "roots.pem")
    let roots = roots(file: file, folder: folder.url.path)
    #expect(roots.file == file)
    #expect(try isTrusted(by: roots))
  }

  @Test(
    "an authority in a folder of hashed names is trusted",
    .enabled(if: InstalledProgram.openssl != nil, "openssl is not installed"))
  func hashed() async throws {
    _ = try folder.write(authority.certificatePEM, to: "authority.pem")
    #expect(try !isTrusted(by: roots(folder: folder.url.path)), "its name is no hash")
    let result = await runProgram(
      try #require(InstalledProgram.openssl), ["rehash", folder.url.path])
    #expect(result.status == 0)
    let roots = roots(folder: folder.url.path)
    #expect(roots.file == nil)
    #expect(try isTrusted(by: roots))
  }

  @Test(
    "without a file and a folder no server is trusted, and the error says what to do")
  func none() throws {
    let error = #expect(throws: TLSError.self) {
      try shakeHands(trusting: roots(file: "/nowhere.pem", folder: "/nowhere"))
    }
    #expect(error?.code == .certificate)
    #expect(error?.message.contains("install ca-certificates") == true)
  }

  private func roots(file: String? = nil, folder: String) -> SystemRoots {
    SystemRoots { ["SSL_CERT_FILE": file, "SSL_CERT_DIR": folder][$0] ?? nil }
  }

  private func isTrusted(by roots: SystemRoots) throws -> Bool {
    do { try shakeHands(trusting: roots) } catch let error as TLSError {
      guard error.code == .certificate else { throw error }
      return false
    }
    return true
  }

  /// Performs both sides of a TLS handshake in turn over a socket pair.
  private func shakeHands(trusting roots: SystemRoots) throws {
    var sockets: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &sockets) == 0)
    defer { for socket in sockets { close(socket) } }
    let client = try TLSConnection(
      client: .client(trusting: roots), host: "localhost", fileDescriptor: sockets[0])
    let peer = try TLSConnection(server: server, fileDescriptor: sockets[1])
    while true {
      let progress = try client.handshake()
      if case .done = progress { return }
      _ = try peer.handshake()
    }
  }
}
