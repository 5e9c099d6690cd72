import FoundationEssentials
import Glibc
import NotificationCards
import NotificationTemplates
import _Card
import _Confinement
import _Spawn

/// The child process that draws cards for `martlet`, confined before it reads the files of strangers.
package enum CardServer {
  /// The most bytes that this process may allocate.
  private static let maximumMemory = 256 << 20
  /// The paths that libraries and fonts are read from, besides the folders of the pictures.
  private static let systemPaths = [
    "/usr", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache", "/var/cache/fontconfig",
    "/dev/null", "/dev/urandom",
  ]

  /// Takes orders from the parent process until it ends.
  ///
  /// Call it before the process has a second thread.
  ///
  /// - Parameter folders: The folders of the pictures.
  package static func run(_ folders: [String]) -> Never {
    guard FrameChannel.isSocket(ConnectedProcess.descriptor) else {
      exitProcess(2, "martlet-card draws for martlet, which starts it")
    }
    let channel = FrameChannel(descriptor: ConnectedProcess.descriptor)
    confine(toRead: folders)
    let pictures = PictureCache()
    while let frame = channel.receive() {
      guard let order = CardOrder(frame) else {
        exitProcess(2, "martlet-card and martlet have different versions")
      }
      Confinement.allowProcessorTime(seconds: CardOrder.processorSeconds)
      channel.send(answer(order, with: pictures).bytes)
    }
    exit(0)
  }

  private static func confine(toRead folders: [String]) {
    let home = ProcessInfo.processInfo.environment["HOME"].map { home in
      [".fonts", ".local/share/fonts", ".config/fontconfig", ".cache/fontconfig"]
        .map { "\(home)/\($0)" }
    }
    let confinement = Confinement(
      readable: systemPaths + (home ?? []) + folders, memory: maximumMemory,
      channel: ConnectedProcess.descriptor)
    do {
      try confinement.apply()
    } catch {
      exitProcess(3, error.message)
    }
  }

  private static func answer(_ order: CardOrder, with pictures: PictureCache) -> CardAnswer {
    switch order {
    case .draw(let card, let views, let style, let isJPEG):
      let renderer = CardRenderer(style, pictures: pictures)
      do {
        return .picture(
          try isJPEG ? renderer.jpeg(card, views) : renderer.png(card, views))
      } catch {
        return .error(error)
      }
    case .height(let template): return .height(template.layout().size.height)
    case .isDamaged(let path): return .isDamaged(CardRenderer.isDamaged(picture: path))
    }
  }

  /// Ends this process with a line on standard error.
  private static func exitProcess(_ code: Int32, _ message: String) -> Never {
    let line = Array("martlet: \(message)\n".utf8)
    _ = unsafe write(STDERR_FILENO, line, line.count)
    exit(code)
  }
}
