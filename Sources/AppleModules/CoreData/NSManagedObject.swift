public import Foundation

/// Apple's `NSEntityDescription`, the kind of an object.
///
/// Source: Apple, `NSEntityDescription`.
public final class NSEntityDescription: NSObject {
  /// The name.
  public let name: String?

  init(name: String) { self.name = name }

  /// Returns the entity of a name.
  ///
  /// - Parameters:
  ///   - entityName: The name.
  ///   - context: Unused: the model is not read, so that each name has an entity.
  /// - Returns: The entity.
  public static func entity(
    forEntityName entityName: String, in context: NSManagedObjectContext
  ) -> NSEntityDescription? { NSEntityDescription(name: entityName) }

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - entityName: The name of its entity.
  ///   - context: The context.
  /// - Returns: The object.
  public static func insertNewObject(
    forEntityName entityName: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    NSManagedObject(entity: NSEntityDescription(name: entityName), insertInto: context)
  }
}

/// Apple's `NSManagedObject`, an object with values in memory.
///
/// `@NSManaged` needs the runtime of Objective-C, so that a subclass with such properties does not compile on Linux.
///
/// Source: Apple, `NSManagedObject`.
open class NSManagedObject: NSObject {
  /// The kind.
  public let entity: NSEntityDescription
  /// The context.
  open private(set) weak var managedObjectContext: NSManagedObjectContext?
  private var values: [String: Any] = [:]

  /// Creates an object.
  ///
  /// - Parameters:
  ///   - entity: The kind.
  ///   - context: The context that gets it.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.entity = entity
    managedObjectContext = context
    super.init()
    context?.insert(self)
  }

  /// Creates an object whose entity has the name of its class.
  ///
  /// - Parameter context: The context that gets it.
  public convenience init(context: NSManagedObjectContext) {
    let name = String(describing: Self.self)
    self.init(entity: NSEntityDescription(name: name), insertInto: context)
  }

  /// Returns a value.
  ///
  /// - Parameter key: Its key.
  /// - Returns: The value.
  open func value(forKey key: String) -> Any? { values[key] }

  /// Sets a value.
  ///
  /// - Parameters:
  ///   - value: The value; `nil` removes it.
  ///   - key: Its key.
  open func setValue(_ value: Any?, forKey key: String) { values[key] = value }
}

/// Apple's `NSFetchRequest`, which objects to read.
///
/// Source: Apple, `NSFetchRequest`.
public final class NSFetchRequest<ResultType>: NSObject {
  /// The name of the entity.
  public let entityName: String?
  /// The condition.
  public var predicate: NSPredicate?
  /// The order.
  public var sortDescriptors: [NSSortDescriptor]?
  /// The largest number of objects; 0 for all.
  public var fetchLimit = 0
  /// Whether the values are read at once.
  public var returnsObjectsAsFaults = true

  /// Creates a request.
  ///
  /// - Parameter entityName: The name of the entity.
  public init(entityName: String) { self.entityName = entityName }
}
