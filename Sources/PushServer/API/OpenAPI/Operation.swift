import PushPayload

/// What the API's document says of a route.
struct Operation: Sendable {
  /// A parameter of the query or a header field.
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

  /// An operation to go on with, and where its parameters are to be had.
  struct Link: Sendable {
    var operation: String
    /// OpenAPI's runtime expressions, by the names of parameters.
    var parameters: [String: String]

    /// To some operations that take a value of the answer, which a JSON Pointer finds.
    static func to(
      _ operations: [Operation], _ parameter: String, _ pointer: String,
      with others: [String: String] = [:]
    ) -> [Link] {
      let parameters = others.merging([parameter: "$response.body#" + pointer]) { $1 }
      return operations.map { Link(operation: $0.id, parameters: parameters) }
    }
  }

  /// Its name, which is the same in every version.
  var id: String
  /// What it does, in one line.
  var summary: String
  var parameters: [Parameter] = []
  /// The body's schema, where one is taken.
  var body: Schema?
  /// A body to begin with.
  var example: JSONValue?
  /// The schemas of bodies that are not JSON, by media type.
  var texts: [String: Schema] = [:]
  /// The answer where all is well, and its body.
  var status = 200
  var answer: Schema?
  /// The answer's media type.
  var answerType = "application/json"
  /// What a caller may be told besides what follows from the route: 409, 451.
  var refusals: Set<Int> = []
  /// A refusal whose body is `{}`: the API's callers know it so.
  var emptyRefusal: Int?
  /// What a caller may ask for next, once this was answered well.
  var links: [Link] = []
}

extension Operation {
  static let from = Parameter.query(
    "from", .time.described("the first moment, or day; a month ago where it is absent"))
  static let to = Parameter.query(
    "to", .time.described("the last moment, or day; now where it is absent"))

  /// A list read on from a cursor.
  static let cursor = Parameter.query(
    "cursor", .string(1...256).described("meta.cursor of the page before"))
}
