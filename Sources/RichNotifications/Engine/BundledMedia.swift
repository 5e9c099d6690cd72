import Foundation
import PushPayload

/// Copies a file of the app's bundle to where it can be attached, under a name that tells its type.
///
/// A copy, because the system takes away what is attached.
enum BundledMedia {
  static func copy(
    _ name: String, in environment: RichEnvironment
  ) -> Result<AttachedMedia, MediaFailure> {
    do throws(MediaFailure) {
      guard let source = environment.bundledFile(name) else {
        throw MediaFailure(.notFound, "the bundle has no file of that name")
      }
      guard let handle = try? FileHandle(forReadingFrom: source) else {
        throw MediaFailure(.notFound, "the bundled file cannot be read")
      }
      defer { try? handle.close() }
      var intake = MediaIntake(allowsPlainHTTP: true)
      var file = try MediaFile(in: environment.temporaryDirectory)
      do throws(MediaFailure) {
        while let piece = try? handle.read(upToCount: 65_536), !piece.isEmpty {
          var outcome: Result<Void, MediaFailure> = .success(())
          piece.withUnsafeBytes { bytes in
            do throws(MediaFailure) { try intake.receive(bytes, write: file.write) } catch {
              outcome = .failure(error)
            }
          }
          try outcome.get()
        }
        let type = try intake.end(write: file.write)
        let url = try file.finish(pathExtension: type.preferredExtension)
        return .success(AttachedMedia(file: url, type: type, bytes: intake.bytes, status: nil))
      } catch {
        file.discard()
        throw error
      }
    } catch {
      return .failure(error)
    }
  }
}
