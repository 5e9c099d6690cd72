/// The requests of one batch: pushes to devices, or a call about channels.
///
/// A batch of pushes is kept as the caller's array, so that no push is copied.
enum Requests {
  case pushes([APNsNotification])
  case call(ChannelCall)

  var count: Int {
    switch self {
    case .pushes(let pushes): pushes.count
    case .call: 1
    }
  }

  /// The number of bytes of a body.
  func size(_ index: Int) -> Int {
    switch self {
    case .pushes(let pushes): pushes[index].payload.count
    case .call(let call): call.body.count
    }
  }

  func id(_ index: Int) -> String {
    switch self {
    case .pushes(let pushes): pushes[index].id
    case .call(let call): call.id
    }
  }

  /// The topic that metrics count a request under.
  func topic(_ index: Int) -> String {
    switch self {
    case .pushes(let pushes): pushes[index].topic
    case .call(let call): call.bundleID
    }
  }

  /// The requests that APNs would refuse whatever the device, with the reasons.
  func problems(withToken usesToken: Bool) -> [(index: Int, problem: String)] {
    switch self {
    case .pushes(let pushes):
      var validator = BatchValidator(pushes, withToken: usesToken)
      return pushes.indices.compactMap { index in validator.problem(at: index).map { (index, $0) } }
    case .call(let call): return call.problem.map { [(0, $0)] } ?? []
    }
  }
}
