import Foundation
import _Spawn

/// Makes a frame of a video as a picture file, with ffmpeg.
enum VideoPoster {
  /// Writes the frame at a time to a temporary file, which the caller must remove.
  ///
  /// - Returns: The file; `nil` if ffmpeg is not installed or makes no frame within ten seconds.
  static func file(for video: URL, at seconds: Double?) async -> URL? {
    let poster = FileManager.default.temporaryDirectory
      .appending(path: "martlet-poster-\(UUID().uuidString).png")
    let moment = seconds.map { $0.isFinite ? max(0, $0) : 0 } ?? 0
    // Only local files are allowed, because a playlist may pose as a video and contain URLs to fetch.
    let arguments = [
      "timeout", "-k", "1", "10", "ffmpeg", "-v", "quiet", "-nostdin", "-y", "-protocol_whitelist",
      "file", "-ss", String(moment), "-i", "file:" + video.path(percentEncoded: false),
      "-frames:v", "1", "-vf", "scale='min(1600,iw)':-2",
      "file:" + poster.path(percentEncoded: false),
    ]
    guard let ffmpeg = try? ChildProcess("/usr/bin/env", arguments, keepsErrors: false),
      await ffmpeg.wait() == 0,
      FileManager.default.fileExists(atPath: poster.path(percentEncoded: false))
    else {
      try? FileManager.default.removeItem(at: poster)
      return nil
    }
    return poster
  }
}
