import _HTTPServer

/// What comes here is told beside each route.
enum DevicesPages {
  static let all: [Route] = [
    .page("GET", .devices) { visit in
      WebPage(title: "Devices", section: .devices, main: "<h1>Devices</h1>").response(for: visit)
    }
  ]
}
