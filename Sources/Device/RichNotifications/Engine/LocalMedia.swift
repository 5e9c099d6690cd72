import Foundation
import PushPayload

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Copies a file of the extension's bundle or of the app group's container, so that it can be attached.
///
/// The system moves the file of an attachment, so the original cannot be attached itself.
enum LocalMedia {
  static func copy(
    _ path: String, for reference: MediaReference,
    maximumImageBytes: Int64 = Int64(MediaType.Family.image.maximumBytes),
    in environment: RichEnvironment
  ) -> MediaFetchResult {
    do throws(MediaFailure) {
      guard let source = find(path, in: environment) else {
        throw MediaFailure(
          .notFound, "neither the bundle nor the app group's container has this file")
      }
      // A link may have replaced the file since it was resolved; it is not followed.
      guard let (descriptor, _) = OwnFile.openToRead(source) else {
        throw MediaFailure(.notFound, "the local file cannot be read")
      }
      defer { close(descriptor) }
      var intake = MediaIntake(reference, url: source, maximumImageBytes: maximumImageBytes)
      let file = try MediaFile(in: environment.temporaryDirectory)
      // One buffer for the whole file: pieces in `Data` would pile up until an autorelease pool ends.
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
      defer { buffer.deallocate() }
      while true {
        let count = OwnFile.read(descriptor, into: buffer)
        guard count >= 0 else {
          throw MediaFailure(.storage, "the local file could not be read completely")
        }
        if count == 0 { break }
        try intake.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), write: file.write)
      }
      let decision = try intake.checkEnd(write: file.write)
      return .file(
        try file.finish(
          intake: intake, decision: decision, reference: reference, in: environment))
    } catch {
      return .failed(error, nil)
    }
  }

  /// Looks in the bundle first, then in the app group's container.
  private static func find(_ path: String, in environment: RichEnvironment) -> URL? {
    if let file = environment.bundledFile(path) {
      let depth = path.utf8.count { $0 == UInt8(ascii: "/") } + 1
      let folder = (0..<depth).reduce(file) { url, _ in url.deletingLastPathComponent() }
      if let file = resolved(file, in: folder) { return file }
    }
    guard let folder = environment.appGroupFolder else { return nil }
    return resolved(folder.appending(path: path, directoryHint: .notDirectory), in: folder)
  }

  /// Resolves symbolic links; `nil` if the file does not exist, or a link leads out of the folder.
  private static func resolved(_ file: URL, in folder: URL) -> URL? {
    let file = file.resolvingSymlinksInPath()
    let folder = folder.resolvingSymlinksInPath().path(percentEncoded: false).trimmingSuffix("/")
    var isFolder: ObjCBool = false
    let path = file.path(percentEncoded: false)
    guard path.hasPrefix(folder + "/"),
      FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue
    else { return nil }
    return file
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
