import Foundation
import PushServer
import Synchronization

/// The secrets of a running `serve`, which are read again when their file has changed.
///
/// A rotation on the same machine is therefore adopted at once, without a signal, and one on
/// another node when its file arrives here. If the file cannot be read, the secrets stay the same.
final class SecretKeyWatch: Sendable {
  private struct State {
    var stamp: FileStamp?
    var secrets: SecretKey.Secrets
  }

  private let file: SecretKeyFile
  private let log: @Sendable (String) -> Void
  private let state: Mutex<State>

  init(
    _ file: SecretKeyFile, _ secrets: SecretKey.Secrets,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.file = file
    self.log = log
    // Without a stamp, the first use reads the file, because it may have changed since `secrets` was read.
    state = Mutex(State(stamp: nil, secrets: secrets))
  }

  var secrets: SecretKey.Secrets {
    state.withLock { state in
      // The stamp is read before the bytes, so that no later change is missed.
      guard let stamp = FileStamp(file.path), stamp != state.stamp else { return state.secrets }
      state.stamp = stamp
      do {
        if let secrets = try file.read() { state.secrets = secrets }
      } catch {
        log("the secret key stays as it was: \(error.sentence)")
      }
      return state.secrets
    }
  }
}

/// The file attributes that distinguish two contents of a file without reading them.
private struct FileStamp: Equatable {
  var inode: UInt64
  var size: Int64
  var modified: [Int]

  /// Returns `nil` if the file does not exist.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = [
      status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
    ]
  }
}
