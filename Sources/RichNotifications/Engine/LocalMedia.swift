import Foundation
import PushPayload

/// Copies a file of the app's bundle, or of the app group's folder, to where it can be attached, under
/// a name that tells its type.
///
/// A copy, because the system takes away what is attached.
enum LocalMedia {
  static func copy(
    _ path: String, for reference: MediaReference,
    maximumImageBytes: Int64 = Int64(MediaType.Family.image.maximumBytes),
    in environment: RichEnvironment
  ) -> FetchEnding {
    do throws(MediaFailure) {
      guard let source = find(path, in: environment) else {
        throw MediaFailure(.notFound, "neither the bundle nor the app group has this file")
      }
      guard let handle = try? FileHandle(forReadingFrom: source) else {
        throw MediaFailure(.notFound, "the local file cannot be read")
      }
      defer { try? handle.close() }
      var intake = MediaIntake(reference, url: source, maximumImageBytes: maximumImageBytes)
      let file = try MediaFile(in: environment.temporaryDirectory)
      while let piece = try? handle.read(upToCount: 65_536), !piece.isEmpty {
        var outcome: Result<Void, MediaFailure> = .success(())
        piece.withUnsafeBytes { bytes in
          do throws(MediaFailure) { try intake.receive(bytes, write: file.write) } catch {
            outcome = .failure(error)
          }
        }
        try outcome.get()
      }
      let decision = try intake.end(write: file.write)
      return .file(try file.finish(intake, decision, reference, environment))
    } catch {
      return .failed(error, nil)
    }
  }

  /// The bundle first; a link that leads out of the app group's folder is no file of it.
  private static func find(_ path: String, in environment: RichEnvironment) -> URL? {
    if let file = environment.bundledFile(path) { return file }
    guard let folder = environment.appGroupFolder?.resolvingSymlinksInPath() else { return nil }
    let file = folder.appending(path: path, directoryHint: .notDirectory).resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    let inside = file.path(percentEncoded: false)
      .hasPrefix(folder.path(percentEncoded: false).trimmingSuffix("/") + "/")
    guard inside,
      FileManager.default.fileExists(
        atPath: file.path(percentEncoded: false), isDirectory: &isFolder), !isFolder.boolValue
    else { return nil }
    return file
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
