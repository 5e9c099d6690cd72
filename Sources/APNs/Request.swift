/// What goes to APNs on a stream: a push to a device, or a call about channels.
enum Request {
  case push(APNsNotification)
  case call(ChannelCall)

  /// What metrics count it under.
  var topic: String {
    switch self {
    case .push(let push): push.topic
    case .call(let call): call.bundleID
    }
  }

  var id: String {
    switch self {
    case .push(let push): push.id
    case .call(let call): call.id
    }
  }

  /// Why APNs would refuse it, whatever the device; `nil` where only APNs can say.
  func flaw(withToken usesToken: Bool) -> String? {
    switch self {
    case .push(let push): push.flaw(withToken: usesToken)
    case .call(let call): call.flaw
    }
  }
}

/// The requests of one batch.
///
/// A batch of pushes is kept as it was handed over: no push is copied to make a request of it.
enum Requests {
  case pushes([APNsNotification])
  case call(ChannelCall)

  var count: Int {
    switch self {
    case .pushes(let pushes): pushes.count
    case .call: 1
    }
  }

  subscript(index: Int) -> Request {
    switch self {
    case .pushes(let pushes): .push(pushes[index])
    case .call(let call): .call(call)
    }
  }

  /// How many bytes a body has.
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
}
