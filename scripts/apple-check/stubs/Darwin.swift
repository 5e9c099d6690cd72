// The declarations of Apple's Darwin that Martlet uses, as Swift imports them.
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/
public typealias mode_t = UInt16
public typealias off_t = Int64
public typealias ssize_t = Int
public typealias time_t = Int

public var errno: Int32 {
  get { fatalError() }
  set { fatalError() }
}
public var EINTR: Int32 { fatalError() }
public var ENOENT: Int32 { fatalError() }
public var EWOULDBLOCK: Int32 { fatalError() }
public var O_RDONLY: Int32 { fatalError() }
public var O_RDWR: Int32 { fatalError() }
public var O_WRONLY: Int32 { fatalError() }
public var O_CREAT: Int32 { fatalError() }
public var O_EXCL: Int32 { fatalError() }
public var O_CLOEXEC: Int32 { fatalError() }
public var O_NOFOLLOW: Int32 { fatalError() }
public var O_NONBLOCK: Int32 { fatalError() }
public var S_IFMT: mode_t { fatalError() }
public var S_IFREG: mode_t { fatalError() }
public var SEEK_SET: Int32 { fatalError() }
public var LOCK_EX: Int32 { fatalError() }
public var LOCK_NB: Int32 { fatalError() }
public var LOCK_UN: Int32 { fatalError() }

public struct timespec {
  public var tv_sec: time_t
  public var tv_nsec: Int
}
public struct stat {
  public init() { fatalError() }
  public var st_mode: mode_t
  public var st_size: off_t
  public var st_mtimespec: timespec
}

@discardableResult
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32) -> Int32 { fatalError() }
@discardableResult
public func open(_ path: UnsafePointer<CChar>, _ oflag: Int32, _ mode: mode_t) -> Int32 {
  fatalError()
}
@discardableResult
public func close(_ fd: Int32) -> Int32 { fatalError() }
@discardableResult
public func read(_ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int {
  fatalError()
}
@discardableResult
public func write(_ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int { fatalError() }
@discardableResult
public func pread(
  _ fd: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t
) -> Int { fatalError() }
@discardableResult
public func pwrite(
  _ fd: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ offset: off_t
) -> Int { fatalError() }
@discardableResult
public func lseek(_ fd: Int32, _ offset: off_t, _ whence: Int32) -> off_t { fatalError() }
@discardableResult
public func ftruncate(_ fd: Int32, _ length: off_t) -> Int32 { fatalError() }
@discardableResult
public func fstat(_ fd: Int32, _ status: UnsafeMutablePointer<stat>!) -> Int32 { fatalError() }
@discardableResult
public func rename(_ old: UnsafePointer<CChar>!, _ new: UnsafePointer<CChar>!) -> Int32 {
  fatalError()
}
@discardableResult
public func unlink(_ path: UnsafePointer<CChar>!) -> Int32 { fatalError() }
@discardableResult
public func flock(_ fd: Int32, _ operation: Int32) -> Int32 { fatalError() }
@discardableResult
public func sched_yield() -> Int32 { fatalError() }
@discardableResult
public func chmod(_ path: UnsafePointer<CChar>!, _ mode: mode_t) -> Int32 { fatalError() }
@discardableResult
public func strerror(_ code: Int32) -> UnsafeMutablePointer<CChar>! { fatalError() }
