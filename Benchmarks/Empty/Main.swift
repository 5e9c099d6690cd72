import Foundation
import FoundationNetworking

/// The program `bench-empty`: what an app without MartletKit uses of Foundation anyway.
@main
struct Empty {
  static func main() async throws {
    guard let server = URL(string: CommandLine.arguments.last ?? "") else { return }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    let (data, response) = try await URLSession(configuration: .ephemeral).data(from: server)
    try data.write(to: folder)
    print((response as? HTTPURLResponse)?.statusCode ?? 0, Date(), Locale.current, TimeZone.current)
    try FileManager.default.removeItem(at: folder)
  }
}
