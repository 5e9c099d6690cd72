import PushModel
import PushStore
import TestSupport
import Testing

@testable import MartletCommands

@Suite("The data directory of a server", .timeLimit(.minutes(10)))
struct DataDirectoryTests {
  let directory = TemporaryFolder()

  @Test("a command brings an older store forward, but not under a serve that uses it")
  func outdated() async throws {
    let newer = SchemaSteps(SchemaSteps.sqlite.steps + [.init("CREATE TABLE added (x)")])
    let path = directory.path("data")
    let data = try DataDirectory(
      Arguments(["--data", path], options: DataDirectory.Options.all))
    let serve = try #require(await RunningServe.start(["--data", path]))
    let error = await #expect(throws: CommandFailure.self) {
      _ = try await data.openStore(steps: newer)
    }
    #expect("\(try #require(error))".contains("a martlet serve of an older version uses \(path)"))
    // One of the same version shares the file.
    _ = try await data.openStore().apps()
    #expect(await serve.stop() == .success)
    _ = try await data.openStore(steps: newer).apps()
    let database = try #require(data.database)
    #expect(try !SQLitePushStore.isOutdated(path: database, steps: newer))
    await #expect(throws: StoreError.self) { _ = try await data.openStore() }
  }
}
