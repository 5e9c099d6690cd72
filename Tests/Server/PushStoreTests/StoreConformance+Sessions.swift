import PushModel
import Testing

let sessionBehaviours: [StoreBehaviour] = [
  StoreBehaviour("a session that was ended stays ended until it would have expired") { store in
    let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let end = Sample.now + .seconds(3600)
    #expect(try await !store.hasEnded(session: one))
    // Of several at once, one ends it.
    let ended = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 {
        group.addTask { try await store.endSession(one, until: end, at: Sample.now) }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(ended == 1)
    #expect(try await store.hasEnded(session: one))
    #expect(try await !store.hasEnded(session: other))
    try await store.endSession(other, until: end + .seconds(3600), at: end)
    #expect(try await !store.hasEnded(session: one))
    #expect(try await store.hasEnded(session: other))
  }
]
