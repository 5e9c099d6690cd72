/// The mounted file systems of a process, read from `/proc/self/mountinfo` (proc(5)).
struct MountTable: Sendable {
  private let mounts: [(point: String, kind: String)]

  init(_ text: String) {
    mounts = text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ")
      // The optional fields end with a hyphen, which the type follows.
      guard fields.count > 6, let hyphen = fields[6...].firstIndex(of: "-"),
        hyphen + 1 < fields.count
      else { return nil }
      return (Self.unescaped(fields[4]), String(fields[hyphen + 1]))
    }
  }

  /// The type of the file system that contains an absolute path.
  func kind(of path: String) -> String? {
    let above = mounts.filter { mount in
      mount.point == "/" || path == mount.point || path.hasPrefix(mount.point + "/")
    }
    // If two file systems are mounted at one point, the later one hides the other.
    return above.enumerated().max { one, next in
      (one.element.point.count, one.offset) < (next.element.point.count, next.offset)
    }?.element.kind
  }

  /// Whether machines share a file system of this type over a network.
  static func isNetwork(_ kind: String) -> Bool {
    [
      "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "lustre", "gpfs", "fuse.sshfs",
      "fuse.glusterfs", "fuse.s3fs", "fuse.gcsfuse",
    ].contains(kind)
  }

  /// A space, tab, line feed or backslash is written as three octal digits.
  private static func unescaped(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(3)
      if byte == UInt8(ascii: "\\"), digits.count == 3,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
      {
        bytes.append(value)
        rest.removeFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
