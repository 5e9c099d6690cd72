import COpenSSL
import Glibc

/// The system's root certificates: a file with all of them, and a folder with one file each.
///
/// If the files of a folder are named by the hashes of their subjects, OpenSSL reads a certificate when it is needed.
/// Reading the file with all of them takes longer than all other steps in the start of a client. Therefore it is read
/// only if there is no such folder, or if `SSL_CERT_FILE` names it.
struct SystemRoots: Equatable {
  /// The file to read at once; `nil` if the folder is sufficient.
  let file: String?
  let folder: String?

  /// Finds the roots as OpenSSL does: by `SSL_CERT_FILE` and `SSL_CERT_DIR`, or else at its compiled-in paths.
  init(environment: (String) -> String? = Self.variable) {
    let fileName = unsafe String(cString: X509_get_default_cert_file_env())
    let folderName = unsafe String(cString: X509_get_default_cert_dir_env())
    let folder =
      unsafe environment(folderName) ?? String(cString: X509_get_default_cert_dir())
    let named = environment(fileName)
    let standard = unsafe String(cString: X509_get_default_cert_file())
    file = named ?? (Self.isHashed(folder) ? nil : standard)
    self.folder = folder
  }

  /// Makes a context trust the roots; as in OpenSSL, a missing file or folder is not an error.
  func use(in context: OpaquePointer) {
    if let file { _ = unsafe SSL_CTX_load_verify_file(context, file) }
    if let folder { _ = unsafe SSL_CTX_load_verify_dir(context, folder) }
    ERR_clear_error()
  }

  private static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Whether one of the folders has a file such as `002c0b4f.0`, which `openssl rehash` creates.
  private static func isHashed(_ folders: String) -> Bool {
    folders.split(separator: ":").contains { names(in: String($0)).contains(where: isHash) }
  }

  private static func isHash(_ name: [UInt8]) -> Bool {
    name.count == 10 && name.suffix(2).elementsEqual(".0".utf8)
      && name.prefix(8).allSatisfy { isxdigit(Int32($0)) != 0 }
  }

  private static func names(in folder: String) -> [[UInt8]] {
    guard let entries = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(entries) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(entries) {
      unsafe withUnsafeBytes(of: &entry.pointee.d_name) { name in
        names.append(unsafe Array(name.prefix { $0 != 0 }))
      }
    }
    return names
  }
}
