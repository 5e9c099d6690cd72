public import Foundation
@_spi(Host) import UserNotifications

/// Apple's `NSPersistentStoreDescription`, where a store is.
///
/// Source: Apple, `NSPersistentStoreDescription`.
public final class NSPersistentStoreDescription: NSObject {
  /// The store's URL.
  public var url: URL?
  /// The store's kind.
  public var type = NSSQLiteStoreType
  /// Whether it is only read.
  public var isReadOnly = false
  /// Whether it is opened later.
  public var shouldAddStoreAsynchronously = false
  /// The options by their keys.
  public private(set) var options: [String: NSObject] = [:]

  /// Creates a description.
  ///
  /// - Parameter url: The store's URL.
  public init(url: URL) { self.url = url }

  /// Creates a description without a URL.
  public override init() {}

  /// Sets an option.
  ///
  /// - Parameters:
  ///   - option: The value; `nil` removes it.
  ///   - key: The key.
  public func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }
}

/// The kind of a store in a SQLite file.
public let NSSQLiteStoreType = "SQLite"
/// The kind of a store in memory.
public let NSInMemoryStoreType = "InMemory"
/// The key of the option that keeps a store's history.
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The key of the option that notifies of changes by other processes.
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey =
  "NSPersistentStoreRemoteChangeNotificationOptionKey"

/// The code of a store that cannot be opened, in the domain `NSCocoaErrorDomain`.
public let NSPersistentStoreOpenError = 134_080

/// Apple's `NSManagedObjectModel`, the entities of a store, which are not read here.
///
/// Source: Apple, `NSManagedObjectModel`.
public final class NSManagedObjectModel: NSObject {
  /// Creates a model without an entity.
  public override init() {}

  /// Creates a model, which is always `nil`.
  ///
  /// - Parameter url: The model's URL.
  public init?(contentsOf url: URL) {
    notModelled("NSManagedObjectModel(contentsOf:)", "it is nil, because models are not read")
    return nil
  }
}

/// Apple's `NSPersistentContainer`, whose stores cannot be opened here, and the trace of the run says so.
///
/// Source: Apple, `NSPersistentContainer`.
open class NSPersistentContainer: NSObject {
  /// The name.
  public let name: String
  /// The entities.
  public let managedObjectModel: NSManagedObjectModel
  /// Where the stores are.
  open var persistentStoreDescriptions = [NSPersistentStoreDescription()]
  /// The context of the main thread.
  public let viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)

  /// Creates a container.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - model: The entities.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    (self.name, managedObjectModel) = (name, model)
  }

  /// Creates a container.
  ///
  /// - Parameter name: The name of the container and of its model.
  public convenience init(name: String) {
    self.init(name: name, managedObjectModel: NSManagedObjectModel())
  }

  /// The folder of stores without a URL.
  ///
  /// - Returns: The folder.
  open class func defaultDirectoryURL() -> URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
      ?? FileManager.default.temporaryDirectory
  }

  /// Fails to open the stores.
  ///
  /// - Parameter block: Called for each store with an error of the code ``NSPersistentStoreOpenError``.
  open func loadPersistentStores(
    completionHandler block: (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      block(
        description,
        CoreDataLimit.error(
          "NSPersistentContainer.loadPersistentStores(completionHandler:)",
          "stores are not opened; put what reads them behind a protocol"))
    }
  }

  /// Creates a context for another thread.
  ///
  /// - Returns: The context.
  open func newBackgroundContext() -> NSManagedObjectContext {
    NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  }

  /// Calls a closure with a context; here at once, on the calling thread.
  ///
  /// - Parameter block: The closure.
  open func performBackgroundTask(_ block: (NSManagedObjectContext) -> Void) {
    block(newBackgroundContext())
  }
}

/// The errors of what this module does not do.
enum CoreDataLimit {
  static func error(_ api: String, _ message: String) -> NSError {
    notModelled(api, message)
    return NSError(
      domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError,
      userInfo: [NSLocalizedDescriptionKey: "\(api) on Linux: \(message)"])
  }
}
