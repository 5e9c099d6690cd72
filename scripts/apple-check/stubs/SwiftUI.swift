// The declarations of Apple's SwiftUI that Martlet and its example use. https://developer.apple.com/documentation/swiftui
//
// A modifier returns `some View`, as Apple's do, so that bodies have the types that they have there. Shape styles are
// colors alone.
@_exported public import CoreGraphics
@_exported public import Foundation

// MARK: - Views

@MainActor @preconcurrency public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: View { public var body: Never { fatalError() } }
public struct EmptyView: View {
  public nonisolated init() {}
  public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
  public static func buildBlock() -> EmptyView { fatalError() }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { fatalError() }
  public static func buildBlock<each Content: View>(
    _ content: repeat each Content
  ) -> TupleView<(repeat each Content)> { fatalError() }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { fatalError() }
  public static func buildEither<A: View, B: View>(first: A) -> _ConditionalContent<A, B> {
    fatalError()
  }
  public static func buildEither<A: View, B: View>(second: B) -> _ConditionalContent<A, B> {
    fatalError()
  }
}
public struct TupleView<T>: View { public var body: Never { fatalError() } }
public struct _ConditionalContent<A: View, B: View>: View {
  public var body: Never { fatalError() }
}
extension Optional: View where Wrapped: View { public var body: Never { fatalError() } }

public struct Group<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) { fatalError() }
  public var body: Never { fatalError() }
}
public struct HStack<Content: View>: View {
  public init(
    alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { fatalError() }
  public var body: Never { fatalError() }
}
public struct VStack<Content: View>: View {
  public init(
    alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
    @ViewBuilder content: () -> Content
  ) { fatalError() }
  public var body: Never { fatalError() }
}
public struct List<Content: View>: View {
  public init(@ViewBuilder content: () -> Content) { fatalError() }
  public var body: Never { fatalError() }
}
public struct Section<Content: View>: View {
  public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) { fatalError() }
  public var body: Never { fatalError() }
}
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
  public var body: Never { fatalError() }
}
extension ForEach where Data.Element: Identifiable, ID == Data.Element.ID {
  public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
    fatalError()
  }
}
@available(iOS 16.0, macOS 13.0, watchOS 9.0, *)
public struct NavigationStack<Root: View>: View {
  public init(@ViewBuilder root: () -> Root) { fatalError() }
  public var body: Never { fatalError() }
}
public struct Text: View {
  public struct DateStyle: Sendable { public static let date = DateStyle() }
  public init(_ key: LocalizedStringKey) { fatalError() }
  public init(verbatim content: String) { fatalError() }
  @_disfavoredOverload public init<S: StringProtocol>(_ content: S) { fatalError() }
  public init(_ date: Date, style: DateStyle) { fatalError() }
  public func font(_ font: Font?) -> Text { fatalError() }
  public var body: Never { fatalError() }
}
@available(iOS 15.0, macOS 12.0, *)
@available(watchOS, unavailable)
public protocol TextSelectability {}
@available(iOS 15.0, macOS 12.0, *)
@available(watchOS, unavailable)
public struct EnabledTextSelectability: TextSelectability {}
@available(iOS 15.0, macOS 12.0, *)
@available(watchOS, unavailable)
extension TextSelectability where Self == EnabledTextSelectability {
  public static var enabled: EnabledTextSelectability { fatalError() }
}
public struct Image: View {
  public init(systemName: String) { fatalError() }
  public func resizable() -> Image { fatalError() }
  public var body: Never { fatalError() }
}
public struct Label<Title: View, Icon: View>: View { public var body: Never { fatalError() } }
extension Label where Title == Text, Icon == Image {
  public init(_ titleKey: LocalizedStringKey, systemImage name: String) { fatalError() }
}
public struct Button<Label: View>: View {
  public init(
    action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) { fatalError() }
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public init(
    role: ButtonRole?, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
  ) { fatalError() }
  public var body: Never { fatalError() }
}
extension Button where Label == Text {
  public init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {
    fatalError()
  }
}
public struct NavigationLink<Label: View, Destination: View>: View {
  public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
    fatalError()
  }
  public var body: Never { fatalError() }
}
public struct Toggle<Label: View>: View { public var body: Never { fatalError() } }
extension Toggle where Label == Text {
  public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { fatalError() }
}
public struct TextField<Label: View>: View { public var body: Never { fatalError() } }
extension TextField where Label == Text {
  public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { fatalError() }
}
@available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
public struct AsyncImage<Content: View>: View {
  public init<I: View, P: View>(
    url: URL?, scale: CGFloat = 1, @ViewBuilder content: @escaping (Image) -> I,
    @ViewBuilder placeholder: @escaping () -> P
  ) where Content == _ConditionalContent<I, P> { fatalError() }
  public var body: Never { fatalError() }
}

// MARK: - Values

public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  public init(_ value: String) { fatalError() }
  public init(stringLiteral value: String) { fatalError() }
}
public struct HorizontalAlignment: Sendable {
  public static let leading = HorizontalAlignment()
  public static let center = HorizontalAlignment()
}
public struct VerticalAlignment: Sendable {
  public static let top = VerticalAlignment()
  public static let center = VerticalAlignment()
  public static let firstTextBaseline = VerticalAlignment()
}
public struct Alignment: Sendable {
  public static let center = Alignment()
  public static let leading = Alignment()
}
public struct Font: Sendable {
  public static let headline = Font()
  public static let subheadline = Font()
  public static let caption = Font()
  public static let caption2 = Font()
}
public protocol ShapeStyle: Sendable {}
public struct Color: View, ShapeStyle {
  public static let secondary = Color()
  public static let accentColor = Color()
  public func opacity(_ opacity: Double) -> Color { fatalError() }
  public var body: Never { fatalError() }
}
public protocol Shape: Sendable, View {}
public struct Rectangle: Shape {
  public init() {}
  public var body: Never { fatalError() }
}
public struct RoundedRectangle: Shape {
  public init(cornerRadius: CGFloat) { fatalError() }
  public var body: Never { fatalError() }
}
@available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
public struct ButtonRole: Equatable, Sendable { public static let destructive = ButtonRole() }
@available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
public enum DynamicTypeSize: Hashable, Comparable, Sendable {
  case large, accessibility1
  public var isAccessibilitySize: Bool { fatalError() }
}
public enum HorizontalEdge: Int8, Sendable { case leading, trailing }
public enum ScenePhase: Comparable, Sendable { case background, inactive, active }
public struct AccessibilityChildBehavior: Hashable, Sendable {
  public static let combine = AccessibilityChildBehavior()
}
public protocol PrimitiveButtonStyle {}
public struct PlainButtonStyle: PrimitiveButtonStyle {}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
  public static var plain: PlainButtonStyle { fatalError() }
}

// MARK: - Modifiers

extension View {
  public nonisolated func font(_ font: Font?) -> some View { EmptyView() }
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public nonisolated func foregroundStyle<S: ShapeStyle>(_ style: S) -> some View { EmptyView() }
  public nonisolated func frame(
    width: CGFloat? = nil, height: CGFloat? = nil, alignment: Alignment = .center
  )
    -> some View
  { EmptyView() }
  public nonisolated func frame(maxWidth: CGFloat?, alignment: Alignment = .center) -> some View {
    EmptyView()
  }
  public nonisolated func scaledToFill() -> some View { EmptyView() }
  public nonisolated func clipShape<S: Shape>(_ shape: S) -> some View { EmptyView() }
  public nonisolated func contentShape<S: Shape>(_ shape: S) -> some View { EmptyView() }
  public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View {
    EmptyView()
  }
  public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { EmptyView() }
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public nonisolated func task(
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { EmptyView() }
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public nonisolated func task<T: Equatable>(
    id value: T, priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View { EmptyView() }
  @available(iOS 15.0, macOS 12.0, *)
  @available(watchOS, unavailable)
  public nonisolated func textSelection<S: TextSelectability>(_ selectability: S) -> some View {
    EmptyView()
  }
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public nonisolated func refreshable(action: @escaping @Sendable () async -> Void) -> some View {
    EmptyView()
  }
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public nonisolated func swipeActions<T: View>(
    edge: HorizontalEdge = .trailing, allowsFullSwipe: Bool = true, @ViewBuilder content: () -> T
  ) -> some View { EmptyView() }
  public nonisolated func accessibilityLabel(_ label: Text) -> some View { EmptyView() }
  public nonisolated func accessibilityHidden(_ hidden: Bool) -> some View { EmptyView() }
  public nonisolated func accessibilityElement(children: AccessibilityChildBehavior) -> some View {
    EmptyView()
  }
  public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
    EmptyView()
  }
}

// MARK: - State

@propertyWrapper public struct State<Value> {
  public init(wrappedValue value: Value) { fatalError() }
  public init(initialValue value: Value) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper public struct Binding<Value> {
  public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) { fatalError() }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set { fatalError() }
  }
  public var projectedValue: Binding<Value> { fatalError() }
}
@propertyWrapper public struct ScaledMetric<Value: BinaryFloatingPoint> {
  public init(wrappedValue: Value) { fatalError() }
  public var wrappedValue: Value { fatalError() }
}
@propertyWrapper public struct Environment<Value> {
  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { fatalError() }
  public var wrappedValue: Value { fatalError() }
}
public struct EnvironmentValues {
  @available(iOS 15.0, macOS 12.0, watchOS 8.0, *)
  public var dynamicTypeSize: DynamicTypeSize { fatalError() }
  public var scenePhase: ScenePhase { fatalError() }
  public var openURL: OpenURLAction { fatalError() }
}
@MainActor public struct OpenURLAction { public func callAsFunction(_ url: URL) { fatalError() } }

// MARK: - Apps

@MainActor @preconcurrency public protocol Scene {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}
extension Never: Scene {}
@resultBuilder public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { fatalError() }
}
public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) { fatalError() }
  public var body: Never { fatalError() }
}
@MainActor @preconcurrency public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}
extension App { @MainActor @preconcurrency public static func main() { fatalError() } }
#if os(iOS)
  @MainActor @propertyWrapper public struct UIApplicationDelegateAdaptor<DelegateType: NSObject> {
    public init(_ delegateType: DelegateType.Type = DelegateType.self) { fatalError() }
    public var wrappedValue: DelegateType { fatalError() }
  }
#endif
