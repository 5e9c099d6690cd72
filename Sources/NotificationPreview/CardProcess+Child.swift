import Foundation
import _Card
import _Spawn

/// A card to draw, as the child reads it.
struct CardOrder: Codable, Sendable {
  var card: NotificationCard
  var views: [NotificationCard.View]
  var style: CardStyle
  var isJPEG: Bool
}

/// What the child answers: a byte that tells the kind, then the picture, or an error as JSON.
enum CardReply {
  static func bytes(_ result: Result<[UInt8], CardError>) -> [UInt8] {
    switch result {
    case .success(let picture): [0] + picture
    case .failure(let error): [1] + ((try? JSONEncoder().encode(error)).map(Array.init) ?? [])
    }
  }

  /// `nil` where the bytes are no answer.
  static func read(_ bytes: [UInt8]) -> Result<[UInt8], CardError>? {
    let rest = bytes.dropFirst()
    switch bytes.first {
    case 0: return .success(Array(rest))
    case 1:
      guard let error = try? JSONDecoder().decode(CardError.self, from: Data(rest)) else {
        return nil
      }
      return .failure(error)
    default: return nil
    }
  }
}

extension CardProcess {
  /// The command by which this binary draws cards in a child process; `--help` does not list it.
  package static let verb = "card-process"
  /// How many seconds of processor time a card may take.
  package static let processorSeconds = 2
  /// How many bytes the child may allocate.
  package static let maximumMemory = 256 << 20
  /// What libraries and fonts are read from, beside the folders of the pictures.
  private static let systemPaths = [
    "/usr", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/var/cache/fontconfig",
    "/dev/null", "/dev/urandom",
  ]

  /// Draws the cards that the parent process orders, until it ends.
  ///
  /// Call it before the process has a second thread.
  ///
  /// - Parameter folders: The folders of the pictures.
  package static func serve(_ folders: [String]) -> Never {
    guard FrameChannel.isSocket(ConnectedProcess.descriptor) else { exit(2) }
    let home = ProcessInfo.processInfo.environment["HOME"].map { home in
      [".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"]
        .map { "\(home)/\($0)" }
    }
    let confinement = Confinement(
      readable: systemPaths + (home ?? []) + folders, memory: maximumMemory)
    do {
      try confinement.apply()
    } catch {
      FileHandle.standardError.write(Data("martlet: \(error.message)\n".utf8))
      exit(3)
    }
    let channel = FrameChannel(descriptor: ConnectedProcess.descriptor)
    let pictures = PictureCache()
    while let frame = channel.receive() {
      guard let order = try? JSONDecoder().decode(CardOrder.self, from: Data(frame)) else {
        exit(2)
      }
      Confinement.allowProcessorTime(seconds: processorSeconds)
      let renderer = CardRenderer(order.style, pictures: pictures)
      let result = Result { () throws(CardError) in
        try order.isJPEG
          ? renderer.jpeg(order.card, order.views) : renderer.png(order.card, order.views)
      }
      channel.send(CardReply.bytes(result))
    }
    exit(0)
  }
}
