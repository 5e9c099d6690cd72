import _HTTPServer

/// Devices: who they are and what is known of them.
enum DevicesPages {
  static let all: [Route] = [
    .page("GET", .devices) { visit in
      WebPage(title: "Devices", section: .devices, main: "<h1>Devices</h1>").response(for: visit)
    }
  ]
}
