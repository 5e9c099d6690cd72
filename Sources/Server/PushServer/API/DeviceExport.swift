import PushModel
import PushPayload
import _HTTPServer

/// A file of devices, which is made page by page while it is sent.
struct DeviceExport: Sendable {
  enum Format: Sendable {
    /// Newline-delimited JSON: each line has a device as lists show it.
    case lines
    /// CSV, with a column for each of these attributes after the fixed ones.
    case csv(attributes: [Filter.Field])
  }

  /// The header with the number of devices; a file with fewer lines was cut off.
  static let countHeader = "Martlet-Device-Count"
  /// The number of devices in a page, and of pages that are made ahead.
  static let pageSize = 1000
  private static let pagesAhead = 2

  private let devices: DeviceNumbers
  private let app: String
  private let format: Format
  private let store: any PushStore

  init(_ devices: DeviceNumbers, app: String, as format: Format, from store: any PushStore) {
    (self.devices, self.app, self.format, self.store) = (devices, app, format, store)
  }

  var response: HTTPResponse {
    let pages = Pages(self)
    return HTTPResponse(
      status: 200,
      headers: [
        ("Content-Type", isTable ? "text/csv; charset=utf-8" : DeviceImport.linesType),
        (
          "Content-Disposition",
          "attachment; filename=\"\(isTable ? "devices.csv" : "devices.ndjson")\""
        ),
        ("Cache-Control", "no-store"), (Self.countHeader, String(devices.count)),
      ],
      // The next page is asked for when the one before was sent, so that memory holds few pages.
      body: .stream(AsyncStream(unfolding: { await pages.next() })))
  }

  private var isTable: Bool { if case .csv = format { true } else { false } }

  /// The pages in order, some of which are made ahead.
  private actor Pages {
    private let export: DeviceExport
    private var head: [UInt8]?
    private var rank = 0
    private var ahead: [Task<[UInt8]?, Never>] = []

    init(_ export: DeviceExport) {
      self.export = export
      head = export.head
    }

    func next() async -> [UInt8]? {
      if let head {
        self.head = nil
        return head
      }
      while ahead.count <= DeviceExport.pagesAhead, rank < export.devices.count {
        let start = rank
        ahead.append(Task { [export] in await export.page(from: start) })
        rank += DeviceExport.pageSize
      }
      return ahead.isEmpty ? nil : await ahead.removeFirst().value
    }
  }

  /// The lines of a page; `nil` if the store fails, which ends the file.
  private func page(from rank: Int) async -> [UInt8]? {
    let page = devices.slice(from: rank, limit: Self.pageSize)
    let found = try? await StoreDeadline.perCall {
      try await store.devices(app: app, numbers: page)
    }
    let tokens = try? await StoreDeadline.perCall {
      isTable ? [] : try await store.reloadTokens(of: page, app: app)
    }
    guard let found, let tokens else { return nil }
    let tokensByDevice = Dictionary(grouping: tokens, by: \.device)
    var bytes: [UInt8] = []
    for device in found {
      switch format {
      case .lines:
        bytes += device.listedBytes(with: tokensByDevice[device.number] ?? [])
        bytes.append(UInt8(ascii: "\n"))
      case .csv(let attributes):
        bytes +=
          CSVTable.line(Self.fixed.map { $0.text(device) } + attributes.map(device.text(of:))).utf8
      }
    }
    // An empty chunk is skipped, so a page whose devices are all gone does not end the file.
    return bytes
  }

  /// The line of the column names; `nil` if the format has none.
  private var head: [UInt8]? {
    guard case .csv(let attributes) = format else { return nil }
    return Array(CSVTable.line(Self.fixed.map(\.name) + attributes.map(\.apiName)).utf8)
  }

  private static let fixed: [(name: String, text: @Sendable (Device) -> String)] = [
    ("id", { $0.id }), ("token", { $0.token ?? "" }), ("os_name", { $0.platform }),
    ("user_id", { $0.userID ?? "" }), ("email", { $0.userEmail ?? "" }),
    ("tags", { $0.tagCell }), ("locale", { $0.locale ?? "" }),
    ("time_zone", { $0.timeZone ?? "" }), ("app_version", { $0.appVersion ?? "" }),
    ("os_version", { $0.osVersion ?? "" }), ("push_enabled", { String($0.isPushEnabled) }),
    ("development", { String($0.isDevelopment) }), ("installed_at", { $0.createdAt.iso8601 }),
    ("last_opened", { $0.lastOpenedAt?.iso8601 ?? "" }),
  ]
}

extension Device {
  /// The tags with vertical bars between them, or as a JSON array if an import would read that as other tags.
  fileprivate var tagCell: String {
    let isPlain = tags.allSatisfy { tag in
      !tag.contains("|") && tag.first?.isWhitespace == false && tag.last?.isWhitespace == false
    }
    return isPlain && tags.first?.hasPrefix("[") != true
      ? tags.joined(separator: "|")
      : String(decoding: JSONValue.array(tags.map(JSONValue.string)).bytes, as: UTF8.self)
  }

  /// The value of an attribute for a cell; empty if the device has no attribute of this kind.
  fileprivate func text(of field: Filter.Field) -> String {
    guard case .attribute(let kind, let name) = field, let attribute = attributes[name],
      attribute.kind == kind
    else { return "" }
    return attribute.value.string ?? String(decoding: attribute.value.bytes, as: UTF8.self)
  }
}
