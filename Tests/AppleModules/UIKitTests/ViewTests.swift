// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals
import Foundation
import Testing
import UIKit

@Suite("Views that keep what they are told")
struct ViewTests {
  private final class Controller: UIViewController {
    #if canImport(ObjectiveC)
      @IBOutlet
    #endif
    weak var label: UILabel!
    let picture = UIImageView(frame: CGRect(x: 0, y: 0, width: 100, height: 50))

    override func viewDidLoad() {
      super.viewDidLoad()
      picture.contentMode = .scaleAspectFill
      picture.layer.cornerRadius = 8
      view.addSubview(picture)
      view.backgroundColor = .systemBackground
    }

    func show(_ text: String) { label.text = text }
  }

  @Test("a controller loads its view when it is first asked for, once")
  func loading() {
    let controller = Controller()
    #expect(!controller.isViewLoaded)
    #expect(controller.view.subviews == [controller.picture] && controller.isViewLoaded)
    controller.loadViewIfNeeded()
    #expect(controller.view.subviews.count == 1 && controller.picture.layer.cornerRadius == 8)
    let label = UILabel()
    controller.label = label
    controller.show("Hi")
    #expect(label.text == "Hi" && label.attributedText?.string == "Hi")
  }

  @Test("a controller has the view that loadView gives it")
  func ownView() {
    final class Own: UIViewController {
      override func loadView() { view = UITextView(frame: .zero) }
    }
    #expect(Own().view is UITextView)
  }

  @Test("a view is in one view at a time, in the order in which it came")
  func subviews() {
    let (first, second) = (UIView(), UIView())
    let views = (0..<3).map { number in
      let view = UIView()
      view.tag = number + 1
      return view
    }
    for view in views { first.addSubview(view) }
    first.bringSubviewToFront(views[0])
    #expect(first.subviews == [views[1], views[2], views[0]])
    second.insertSubview(views[2], at: 9)
    #expect(first.subviews == [views[1], views[0]] && second.subviews == [views[2]])
    #expect(views[2].superview === second && second.viewWithTag(3) === views[2])
    #expect(first.viewWithTag(3) == nil)
    second.bringSubviewToFront(views[0])
    #expect(second.subviews == [views[2]])
    views[2].removeFromSuperview()
    #expect(second.subviews.isEmpty && views[2].superview == nil)
  }

  @Test("a view has one place, by its frame, its bounds and its center")
  func places() {
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 30, height: 40))
    #expect(view.bounds == CGRect(x: 0, y: 0, width: 30, height: 40))
    #expect(view.center == CGPoint(x: 25, y: 40))
    view.center = CGPoint(x: 15, y: 20)
    view.bounds = CGRect(x: 0, y: 0, width: 10, height: 10)
    #expect(view.frame == CGRect(x: 0, y: 0, width: 10, height: 10))
  }

  @Test("a layout is made once for all that asked for it")
  func layout() {
    final class Counting: UIView {
      var count = 0
      override func layoutSubviews() { count += 1 }
    }
    let (outer, inner) = (Counting(), Counting())
    outer.addSubview(inner)
    outer.layoutIfNeeded()
    outer.layoutIfNeeded()
    inner.setNeedsLayout()
    inner.setNeedsLayout()
    outer.layoutIfNeeded()
    #expect(outer.count == 1 && inner.count == 2)
  }
}
