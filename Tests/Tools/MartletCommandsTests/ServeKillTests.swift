import PushModel
import PushPayload
import TestSupport
import Testing

@testable import MartletCommands

@Suite("Killing martlet serve", .serialized, .timeLimit(.minutes(10)))
struct ServeKillTests {
  let directory = TemporaryFolder()

  @Test("after kill -9 in the middle of a send each device gets the push and has one outcome")
  func kill() async throws {
    let world = try await KillWorld(
      directory, devices: Batch.limit + 1500, stallsAfter: Batch.limit + 500)
    let first = try world.serve(workers: 1)
    let notification = try await world.send(through: world.client(of: first))
    await world.apns.stalled()
    first.kill()

    await world.apns.recover()
    let second = try world.serve(workers: 1)
    try await world.finish(notification, through: world.client(of: second))
    #expect(await second.terminate() == 0)
    await world.apns.stop()
    let pushes = world.pushes
    for token in world.tokens.prefix(Batch.limit) { #expect(pushes[token]?.count == 1) }
    world.expectAll(of: notification, repeatedAtMost: Batch.limit, "one kill", isPrinted: false)
  }

  @Test(
    "nodes that are killed repeatedly lose no device, no answered change and no answered receipt",
    arguments: KillSetting.all)
  func randomKills(setting: KillSetting) async throws {
    try await withCluster(setting.database) { cluster in
      let (plan, workers) = (KillPlan(nodes: setting.nodes), 2)
      let world = try await KillWorld(directory, on: cluster, devices: plan.devices, phones: 8)
      var servers: [ServeProcess] = []
      for node in 0..<setting.nodes {
        servers.append(try world.serve(node: node, workers: workers))
      }
      var clients: [ServerClient] = []
      for server in servers { clients.append(try await world.client(of: server)) }
      let notification = try await world.send(through: clients[0])
      let phones = Phones(8, reporting: notification, to: clients)
      for (place, kill) in plan.kills.enumerated() {
        await world.apns.reached(kill.moment)
        servers[kill.node].kill()
        await servers[kill.node].ended()
        // Of several the last that dies stays dead: the rest finish what it had.
        if place + 1 == plan.kills.count, setting.nodes > 1 {
          servers.remove(at: kill.node)
          clients.remove(at: kill.node)
        } else {
          servers[kill.node] = try world.serve(node: kill.node, workers: workers)
          clients[kill.node] = try await world.client(of: servers[kill.node])
        }
        phones.use(clients)
      }
      try await world.finish(notification, through: clients[0])
      let (lost, requests) = try await phones.losses(at: clients[0])
      #expect(lost.isEmpty, "\(setting): \(plan)")
      if Tier.isWhole { print("\(setting): \(requests) answered requests, \(lost.count) lost") }
      for server in servers { #expect(await server.terminate() == 0) }
      await world.apns.stop()
      world.expectAll(
        of: notification, repeatedAtMost: plan.kills.count * workers * Batch.limit,
        "\(setting): \(plan)",
        isPrinted: Tier.isWhole)
    }
  }

  @Test(
    "PostgreSQL killed and started again in the middle of a send loses no device",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func databaseRestarts() async throws {
    try await PostgreSQLCluster().use { cluster in
      let (plan, workers) = (KillPlan(nodes: 2), 2)
      let world = try await KillWorld(directory, on: cluster, devices: plan.devices)
      let servers = try (0..<2).map { try world.serve(node: $0, workers: workers) }
      let client = try await world.client(of: servers[0])
      let notification = try await world.send(through: client)
      for kill in plan.kills {
        await world.apns.reached(kill.moment)
        try await cluster.kill()
        try await cluster.start()
      }
      try await world.finish(notification, through: client)
      for server in servers { #expect(await server.terminate() == 0) }
      await world.apns.stop()
      world.expectAll(
        of: notification, repeatedAtMost: 2 * plan.kills.count * workers * Batch.limit,
        "PostgreSQL restarted: \(plan)", isPrinted: Tier.isWhole)
    }
  }

  @Test(
    "when a primary is killed in the middle of a send, the nodes continue on its standby",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func promotion() async throws {
    try await PostgreSQLCluster().use { primary in
      try await PostgreSQLCluster(following: primary).use { standby in
        let (plan, workers) = (KillPlan(nodes: 2, kills: 1), 2)
        let world = try await KillWorld(
          directory, on: primary, or: standby, devices: plan.devices)
        let servers = try (0..<2).map { try world.serve(node: $0, workers: workers) }
        let client = try await world.client(of: servers[0])
        let notification = try await world.send(through: client)
        await world.apns.reached(plan.kills[0].moment)
        try await primary.kill()
        try await standby.promote()
        try await world.finish(notification, through: client)
        for server in servers { #expect(await server.terminate() == 0) }
        await world.apns.stop()
        world.expectAll(
          of: notification, repeatedAtMost: 2 * workers * Batch.limit, "standby promoted: \(plan)",
          isPrinted: Tier.isWhole)
      }
    }
  }

  @Test(
    "a PostgreSQL whose disk is full in the middle of a send gets the outcomes later: no repeats",
    .enabled(if: PostgreSQLCluster.isInstalled, "PostgreSQL is not installed"))
  func databaseFull() async throws {
    try await PostgreSQLCluster().use { cluster in
      let world = try await KillWorld(directory, on: cluster, devices: 8 * Batch.limit)
      // Leases find room, outcomes do not: what a server says then, and goes on saying.
      try await cluster.query(
        """
        CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN RAISE EXCEPTION USING ERRCODE = ''53100'', MESSAGE = ''no space left''; END';
        """)
      let servers = try (0..<2).map {
        try world.serve(node: $0, workers: 2, under: "exec 2>&1")
      }
      let client = try await world.client(of: servers[0])
      let notification = try await world.send(through: client)
      await world.apns.reached(1000)
      try await cluster.query(
        "CREATE TRIGGER no_room BEFORE UPDATE OF outcomes ON batches EXECUTE FUNCTION no_room()")
      // A node whose outcomes the store does not take leases nothing more.
      for server in servers {
        #expect(await server.line { $0.contains("cannot be stored") } != nil)
      }
      #expect(world.apns.accepted.count < 8 * Batch.limit)
      try await cluster.query("DROP TRIGGER no_room ON batches")
      try await world.finish(notification, through: client)
      for server in servers { #expect(await server.terminate() == 0) }
      await world.apns.stop()
      world.expectAll(
        of: notification, repeatedAtMost: 0, "a full PostgreSQL", isPrinted: false)
    }
  }

  @Test(
    "SIGTERM in the middle of a send finishes the running batches, so that no push is sent twice")
  func terminated() async throws {
    let world = try await KillWorld(directory, devices: 20_000)
    var server = try world.serve(workers: 2)
    let notification = try await world.send(through: world.client(of: server))
    for moment in [2000, 9000] {
      await world.apns.reached(moment)
      #expect(await server.terminate() == 0)
      server = try world.serve(workers: 2)
      _ = try await world.client(of: server)
    }
    await world.apns.reached(15_000)
    #expect(await server.terminate() == 0)
    server = try world.serve(workers: 2)
    try await world.finish(notification, through: world.client(of: server))
    #expect(await server.terminate() == 0)
    await world.apns.stop()
    world.expectAll(of: notification, repeatedAtMost: 0, "SIGTERM", isPrinted: false)
  }

  @Test("a database file at its size limit answers 503; after the limit the next send is accepted")
  func fileSize() async throws {
    let world = try await KillWorld(directory, devices: 1)
    // 512 KiB for each file.
    let server = try world.serve(workers: 1, under: "ulimit -S -f 1024")
    let client = try await world.client(of: server)
    let text = String(repeating: "x", count: 3900)
    let body: JSONValue = ["notification": ["to": "*", "payload": ["alert": .string(text)]]]
    var refusal = ""
    var accepted: Int64 = 0
    while refusal.isEmpty, accepted < 1000 {
      do {
        _ = try await client.request("POST", "/v6/notifications", body: body.serialized())
        accepted += 1
      } catch {
        refusal = "\(error)"
      }
    }
    #expect(refusal.contains("the store is not available"), "\(refusal)")
    let raised = await runProgram(
      "/usr/bin/env", ["prlimit", "--pid", "\(server.identifier)", "--fsize=unlimited"])
    #expect(raised.status == 0)
    _ = try await client.request("POST", "/v6/notifications", body: body.serialized())
    let list = try await client.request("GET", "/v6/notifications")
    #expect(list["meta"]?["total"]?.integer == accepted + 1)
    #expect(await server.terminate() == 0)
    await world.apns.stop()
  }
}

/// Runs a body with the servers of a database, which are removed afterwards; `nil` is SQLite.
func withCluster(
  _ database: KillSetting.Database, _ body: (PostgreSQLCluster?) async throws -> Void
) async throws {
  switch database {
  case .sqlite: try await body(nil)
  case .postgreSQL: try await PostgreSQLCluster().use(body)
  case .citus:
    try await CitusCluster().use { citus in
      let console = ServeConsole()
      let line = ["database", "divide", "--database", citus.coordinator.url]
      #expect(await console.run(line) == .success, "\(console.errors)")
      try await body(citus.coordinator)
    }
  }
}
