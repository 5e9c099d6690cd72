import Markup
import PushModel
import _HTTPServer

/// The pages of the help, which the program has itself: a machine without the internet shows them too.
enum HelpPages {
  static let all: [Route] = [
    .page("GET", "/help/:topic") { call, _ in
      let topic = try topic(call)
      return WebPage(title: "Help: \(topic.title)", main: page(of: topic, app: nil)).response()
    },
    .page("GET", .home, at: "/help/:topic") { request in
      let topic = try topic(request.call)
      return WebPage(title: "Help: \(topic.title)", main: page(of: topic, app: request.app.id))
        .response(for: request)
    },
  ]

  private static func topic(_ call: RequestContext) throws(RequestError) -> HelpTopic {
    guard let topic = HelpTopic(rawValue: call.parameter("topic")) else {
      throw .notFound("subject of the help with this name")
    }
    return topic
  }

  private static func page(of topic: HelpTopic, app: String?) -> HTML {
    let points = topic.points.map { "<li>\($0)</li>" as HTML }
    let others = HelpTopic.allCases.map { other -> HTML in
      let current: HTML = other == topic ? " aria-current=\"page\"" : ""
      return "<li><a href=\"\(other.path(app: app))\"\(current)>\(other.title)</a></li>"
    }
    return """
      <h1>Help: \(topic.title)</h1>
      <div class="beside">
      <div class="card"><ul class="points">\(points)</ul>
      <p class="help">The whole article is in Martlet’s documents: <code>\(topic.article)</code></p></div>
      <nav class="card help-topics" aria-label="Subjects"><h2>Subjects</h2><ul>\(others)</ul></nav>
      </div>
      """
  }
}
