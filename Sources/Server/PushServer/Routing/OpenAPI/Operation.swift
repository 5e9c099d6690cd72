import PushPayload

/// The description of a route for the OpenAPI document.
struct Operation: Sendable {
  /// A query parameter or a header field.
  struct Parameter: Sendable {
    var name: String
    var isHeader = false
    var isRequired = false
    var schema: Schema

    static func query(_ name: String, _ schema: Schema, isRequired: Bool = false) -> Parameter {
      Parameter(name: name, isRequired: isRequired, schema: schema)
    }

    static func header(_ name: String, _ schema: Schema) -> Parameter {
      Parameter(name: name, isHeader: true, schema: schema)
    }
  }

  /// A link from an answer to an operation that takes a value of the answer.
  struct Link: Sendable {
    var operation: String
    /// OpenAPI runtime expressions by the names of the operation's parameters.
    var parameters: [String: String]

    /// Makes links to operations.
    ///
    /// `parameter` is the operations' parameter that takes the value. `pointer` is the JSON Pointer
    /// of the value in the answer. `others` are expressions of further parameters.
    static func to(
      _ operations: [Operation], parameter: String, pointer: String,
      with others: [String: String] = [:]
    ) -> [Link] {
      let parameters = others.merging([parameter: "$response.body#" + pointer]) { $1 }
      return operations.map { Link(operation: $0.id, parameters: parameters) }
    }
  }

  /// The operation's id, which is the same in every version.
  var id: String
  /// A one-sentence description of the operation.
  var summary: String
  var parameters: [Parameter] = []
  /// The schema of a JSON body; `nil` if the operation takes no JSON body.
  var body: Schema?
  /// Whether the body may be absent.
  var isBodyOptional = false
  /// An example of a body.
  var example: JSONValue?
  /// The schemas of bodies that are not JSON, by media type.
  var texts: [String: Schema] = [:]
  /// The status of a successful answer.
  var status = 200
  /// The schema of a successful answer.
  var answer: Schema?
  /// The media type of a successful answer.
  var answerType = "application/json"
  /// The statuses of refusals, such as 409 and 451, beyond those that follow from the route.
  var refusals: Set<Int> = []
  /// The status of a refusal whose body is `{}`: always in versions 4 and 5, and if no event has a name in
  /// version 6.
  var emptyRefusal: Int?
  /// The links of a successful answer.
  var links: [Link] = []
}

extension Operation {
  static let from = Parameter.query(
    "from", .time.described("the first moment or day; default 30 days ago"))
  static let to = Parameter.query(
    "to", .time.described("the last moment or day; default now"))

  /// The header field with a device's own secret, which a device key must send.
  static let deviceSecret = Parameter.header(
    DeviceClaim.secretHeader,
    Schema(["type": "string", "pattern": "^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$"]).described(
      "with a device key: the device's own secret, base64url of 32 random bytes"))

  /// The cursor of a list's next page.
  static let cursor = Parameter.query(
    "cursor",
    .string(0...256).described(
      "meta.cursor of the previous page; empty for the first page"))
}
