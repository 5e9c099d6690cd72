import Foundation
import MartletKit
import Synchronization

/// The process `phones PORT KEY FOLDER CLIENTS COUNT`: registers devices with MartletKit at a server, as many at a time as
/// there are clients, and prints the seconds that it took.
func phonesClient(_ arguments: [String]) async throws {
  guard arguments.count == 5, let port = UInt16(arguments[0]), let clients = Int(arguments[3]),
    let count = Int(arguments[4]), let server = URL(string: "http://127.0.0.1:\(port)")
  else { return }
  let folder = URL(filePath: arguments[2], directoryHint: .isDirectory)
  let start = ContinuousClock.now
  try await withThrowingTaskGroup(of: Void.self) { group in
    for client in 0..<clients {
      group.addTask {
        let transport = try KeptTransport(port: port)
        for number in stride(from: client, to: count, by: clients) {
          let settings = PushSettings(
            server: server, key: arguments[1], folder: folder.appending(path: "\(number)"))
          try await register(PushDevice(settings, transport: transport), number)
        }
      }
    }
    try await group.waitForAll()
  }
  print((ContinuousClock.now - start) / .seconds(1))
}

private func register(_ device: PushDevice, _ number: Int) async throws {
  await device.start()
  device.reportPermission(.allowed)
  let bytes = (0..<32).map { UInt8(truncatingIfNeeded: (number + 1 << 40) >> ($0 % 8 * 8)) }
  device.setToken(Data(bytes))
  await device.update { $0.tags = ["news"] }
  guard await device.synchronize().state == .upToDate else {
    throw Child.Failure(description: "device \(number) was not registered")
  }
}

/// A transport over one connection that is kept alive, on a thread of its own; one request at a time.
private final class KeptTransport: PushTransport {
  private let queue = DispatchQueue(label: "phone")
  private let connection: Mutex<LoadConnection>

  init(port: UInt16) throws { connection = Mutex(try LoadConnection(port: port)) }

  func send(_ request: PushRequest) async throws(PushTransportError) -> PushResponse {
    let answer = await withCheckedContinuation { continuation in
      queue.async { [self] in
        let answer = connection.withLock { connection in
          Result { try Self.response(connection.answer(to: Self.bytes(request))) }
        }
        continuation.resume(returning: answer)
      }
    }
    return try answer.mapError { PushTransportError("\($0)", cause: $0) }.get()
  }

  private static func bytes(_ request: PushRequest) -> [UInt8] {
    let body = request.body ?? Data()
    var head = "\(request.method) \(request.url.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for (name, value) in request.headers { head += "\(name): \(value)\r\n" }
    return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }

  private static func response(_ answer: ArraySlice<UInt8>) -> PushResponse {
    let body = Data(answer).range(of: Data("\r\n\r\n".utf8)).map { answer.dropFirst($0.upperBound) }
    return PushResponse(status: LoadConnection.status(answer), body: Data(body ?? []))
  }
}
