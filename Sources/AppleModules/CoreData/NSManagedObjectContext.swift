public import Foundation
import UserNotifications

/// Apple's `NSManagedObjectContextConcurrencyType`, the thread of a context.
///
/// Source: Apple, `NSManagedObjectContextConcurrencyType`.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// A thread of its own.
  case privateQueueConcurrencyType = 1
  /// The main thread.
  case mainQueueConcurrencyType = 2
}

/// Apple's `NSMergePolicy`, which of two changes is kept.
///
/// Source: Apple, `NSMergePolicy`.
public final class NSMergePolicy: NSObject, Sendable {
  /// None: saving fails.
  public static let error = NSMergePolicy()
  /// The one in memory, by properties.
  public static let mergeByPropertyObjectTrump = NSMergePolicy()
  /// The one in the store, by properties.
  public static let mergeByPropertyStoreTrump = NSMergePolicy()

  override init() {}
}

/// The policy by which changes in memory are kept.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump

/// Apple's `NSManagedObjectContext`, which has no store here, and the trace of the run says so.
///
/// Source: Apple, `NSManagedObjectContext`.
open class NSManagedObjectContext: NSObject {
  /// The thread.
  public let concurrencyType: NSManagedObjectContextConcurrencyType
  /// The context that gets its changes.
  open var parent: NSManagedObjectContext?
  /// Which of two changes is kept.
  open var mergePolicy: Any = NSMergePolicy.error
  /// Whether it follows the changes of others.
  open var automaticallyMergesChangesFromParent = false
  private var inserted: Set<NSManagedObject> = []

  /// Creates a context.
  ///
  /// - Parameter type: The thread.
  public init(concurrencyType type: NSManagedObjectContextConcurrencyType) {
    concurrencyType = type
  }

  /// The objects that are not in a store.
  open var insertedObjects: Set<NSManagedObject> { inserted }
  /// Whether there are objects that are not in a store.
  open var hasChanges: Bool { !inserted.isEmpty }

  /// Adds an object.
  ///
  /// - Parameter object: The object.
  open func insert(_ object: NSManagedObject) { inserted.insert(object) }

  /// Removes an object.
  ///
  /// - Parameter object: The object.
  open func delete(_ object: NSManagedObject) { inserted.remove(object) }

  /// Fails to save.
  ///
  /// - Throws: An error of the code ``NSPersistentStoreOpenError`` if there are changes.
  open func save() throws {
    guard hasChanges else { return }
    throw CoreDataLimit.error("NSManagedObjectContext.save()", "there is no store")
  }

  /// Fails to read objects.
  ///
  /// - Parameter request: Which objects.
  /// - Returns: Nothing.
  /// - Throws: Always an error of the code ``NSPersistentStoreOpenError``.
  open func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
    throw CoreDataLimit.error("NSManagedObjectContext.fetch(_:)", "there is no store")
  }

  /// Fails to count objects.
  ///
  /// - Parameter request: Which objects.
  /// - Returns: Nothing.
  /// - Throws: Always an error of the code ``NSPersistentStoreOpenError``.
  open func count<T>(for request: NSFetchRequest<T>) throws -> Int {
    throw CoreDataLimit.error("NSManagedObjectContext.count(for:)", "there is no store")
  }

  /// Calls a closure; here at once, on the calling thread.
  ///
  /// - Parameter block: The closure.
  open func perform(_ block: () -> Void) { block() }

  /// Calls a closure on the calling thread.
  ///
  /// - Parameter block: The closure.
  open func performAndWait(_ block: () -> Void) { block() }

  /// Forgets all objects.
  open func reset() { inserted = [] }

  /// Forgets all changes.
  open func rollback() { inserted = [] }
}
