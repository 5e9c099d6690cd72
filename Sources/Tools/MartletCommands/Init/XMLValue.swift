/// A property list in XML, with its keys in the given order.
indirect enum XMLValue: Sendable {
  case string(String)
  case bool(Bool)
  case real(Double)
  case array([XMLValue])
  case dictionary([(String, XMLValue)])

  var document: String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">
    \(lines.joined(separator: "\n"))
    </plist>

    """
  }

  private var lines: [String] {
    switch self {
    case .string(let text): ["<string>\(Self.escaped(text))</string>"]
    case .bool(let truth): [truth ? "<true/>" : "<false/>"]
    case .real(let number): ["<real>\(number)</real>"]
    case .array(let values):
      ["<array>"] + values.flatMap { $0.lines.map { "\t" + $0 } } + ["</array>"]
    case .dictionary(let members):
      ["<dict>"]
        + members.flatMap { key, value in
          (["<key>\(Self.escaped(key))</key>"] + value.lines).map { "\t" + $0 }
        } + ["</dict>"]
    }
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
