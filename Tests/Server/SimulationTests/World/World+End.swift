import _Determinism

extension World {
  /// Stops the node as a process is stopped, and checks that nothing is left of it.
  func end(atMost limit: Int) {
    for node in nodes { node.stop() }
    if scheduler.run(atMost: limit) != .idle {
      findings.add(.tasks, "something goes on after the node was stopped")
      CapturedJobs.forget()
    }
    let waiting = scheduler.waitingCount
    if waiting.timers + waiting.works > 0 {
      findings.add(.tasks, "\(waiting.timers) timers and \(waiting.works) works are left")
    }
    for life in lives where !life.hasEnded {
      findings.add(.tasks, "node \(life.life.number) has not ended")
    }
    let stores = forgetLives()
    for store in stores where store.isInUse() {
      findings.add(.tasks, "something still uses the store of node \(store.life)")
    }
  }
}
