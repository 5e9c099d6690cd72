import PushStore
import Testing

let sessionBehaviours: [StoreBehaviour] = [
  StoreBehaviour("a session that was ended stays ended until it would have expired") { store in
    let (one, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    let end = Sample.now + .seconds(3600)
    #expect(try await !store.hasEnded(session: one))
    for _ in 0..<2 { try await store.endSession(one, until: end, at: Sample.now) }
    #expect(try await store.hasEnded(session: one))
    #expect(try await !store.hasEnded(session: other))
    try await store.endSession(other, until: end + .seconds(3600), at: end)
    #expect(try await !store.hasEnded(session: one))
    #expect(try await store.hasEnded(session: other))
  }
]
