#if os(iOS) || os(visionOS)
  import AVFoundation
  import Foundation
  import UIKit

  /// The movie or sound of a notification.
  @MainActor
  final class ContentPlayer {
    /// The view with the movie.
    let view: UIView
    /// Called when the medium is at its end.
    var onEnd: () -> Void = {}

    private let player: AVPlayer
    private let file: URL
    private let isOpen: Bool
    private var observer: (any NSObjectProtocol)?

    init(_ file: URL) {
      self.file = file
      isOpen = file.startAccessingSecurityScopedResource()
      player = AVPlayer(url: file)
      view = PlayerView(player)
      observer = NotificationCenter.default.addObserver(
        forName: .AVPlayerItemDidPlayToEndTime, object: player.currentItem, queue: .main
      ) { [weak self] _ in
        Task { @MainActor [weak self] in self?.ended() }
      }
    }

    func play() { player.play() }
    func pause() { player.pause() }

    /// Ends the access to the file.
    func close() {
      pause()
      if let observer { NotificationCenter.default.removeObserver(observer) }
      observer = nil
      if isOpen { file.stopAccessingSecurityScopedResource() }
    }

    private func ended() {
      player.seek(to: .zero)
      onEnd()
    }
  }

  private final class PlayerView: UIView {
    override static var layerClass: AnyClass { AVPlayerLayer.self }

    init(_ player: AVPlayer) {
      super.init(frame: .zero)
      (layer as? AVPlayerLayer)?.player = player
      (layer as? AVPlayerLayer)?.videoGravity = .resizeAspect
      backgroundColor = .black
    }

    required init?(coder: NSCoder) { nil }
  }
#endif
