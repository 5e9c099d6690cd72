import AVFoundation
import AVKit
import AudioToolbox
import CallKit
import Combine
import CoreData
import Dispatch
import Foundation
import Network
import SQLite3
import SystemConfiguration
import TestSupport
import Testing
import UIKit
import UserNotifications
import WidgetKit

// Each test uses a module as published extensions do, and checks what stands in for the phone's part.

private final class Message: NSManagedObject {}

private final class Model: ObservableObject {
  @Published var count = 1
}

@Suite("Modules that say what is not there")
struct BareModuleTests {
  @Test("AVFoundation: a player opens a file that exists, and plays nothing")
  func player() throws {
    let player = try AVAudioPlayer(contentsOf: Fixtures.url("media/chime.wav"))
    player.numberOfLoops = 2
    #expect(player.prepareToPlay() && !player.play() && !player.isPlaying)
    #expect(throws: (any Error).self) {
      try AVAudioPlayer(contentsOf: URL(filePath: "/none.caf"))
    }
    try AVAudioSession.sharedInstance().setCategory(.playback, options: [.duckOthers])
    try AVAudioSession.sharedInstance().setActive(true)
  }

  @Test("AVFoundation: a film has no known length and no pictures, and sound is not read")
  func film() throws {
    let asset = AVURLAsset(url: Fixtures.url("media/gold.mp4"))
    #expect(!asset.duration.isValid && asset.duration.seconds.isNaN)
    let generator = AVAssetImageGenerator(asset: asset)
    #expect(throws: AVModelError.self) {
      try generator.copyCGImage(at: CMTime(seconds: 1, preferredTimescale: 60), actualTime: nil)
    }
    #expect(throws: AVModelError.self) {
      try AVAudioFile(forReading: Fixtures.url("media/chime.wav"))
    }
  }

  @Test(
    "AVFoundation: a time counts parts of a second, or is unknown",
    arguments: [(1.5, 600, 900), (.infinity, 600, nil), (1e30, 600, nil), (-2, 1, -2)])
  func time(seconds: Double, scale: Int32, value: Int64?) {
    let time = CMTime(seconds: seconds, preferredTimescale: scale)
    #expect(time.isValid == (value != nil) && (value == nil || time.value == value))
  }

  @Test("AudioToolbox: a sound is not played, and its end is called")
  func sound() throws {
    var number: SystemSoundID = 7
    let url = Fixtures.url("media/chime.wav") as CFURL
    #expect(AudioServicesCreateSystemSoundID(url, &number) != 0 && number == 0)
    var isEnded = false
    AudioServicesPlayAlertSoundWithCompletion(kSystemSoundID_Vibrate) { isEnded = true }
    #expect(isEnded)
    #expect(AudioServicesAddSystemSoundCompletion(number, nil, nil, { _, _ in }, nil) != 0)
    AudioServicesRemoveSystemSoundCompletion(number)
  }

  @Test(
    "AVFoundation: a rectangle of a ratio is the largest within another, in its middle",
    arguments: [
      (CGSize(width: 2, height: 1), CGRect(x: 10, y: 25, width: 100, height: 50)),
      (CGSize(width: 1, height: 1), CGRect(x: 10, y: 0, width: 100, height: 100)),
      (CGSize(width: 0, height: 1), CGRect(x: 60, y: 50, width: 0, height: 0)),
    ])
  func aspect(ratio: CGSize, expected: CGRect) {
    let bounds = CGRect(x: 10, y: 0, width: 100, height: 100)
    #expect(AVMakeRect(aspectRatio: ratio, insideRect: bounds) == expected)
  }

  @Test("CoreData: a store cannot be opened, so that nothing is saved or read")
  func coreData() throws {
    let container = NSPersistentContainer(name: "Messages")
    let url = URL(filePath: "/group/Messages.sqlite")
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var errors: [NSError] = []
    container.loadPersistentStores { description, error in
      #expect(description.url == url)
      if let error { errors.append(error as NSError) }
    }
    #expect(errors.map(\.code) == [NSPersistentStoreOpenError])
    #expect(errors.first?.domain == NSCocoaErrorDomain)
    let context = container.newBackgroundContext()
    try context.save()
    let message = Message(context: context)
    message.setValue("Hi", forKey: "text")
    #expect(message.value(forKey: "text") as? String == "Hi" && message.entity.name == "Message")
    #expect(context.hasChanges && context.insertedObjects == [message])
    #expect(throws: NSError.self) { try context.save() }
    #expect(throws: NSError.self) {
      try context.fetch(NSFetchRequest<Message>(entityName: "Message"))
    }
    context.rollback()
    try context.save()
  }

  @Test("Combine: values come in their order, until the end or until nobody keeps the subscription")
  func combine() {
    let subject = PassthroughSubject<Int, Never>()
    var seen: [String] = []
    var kept: Set<AnyCancellable> = []
    subject.filter { $0 > 0 }.map { "a\($0)" }.eraseToAnyPublisher()
      .sink(receiveCompletion: { _ in seen.append("end") }, receiveValue: { seen.append($0) })
      .store(in: &kept)
    var second: AnyCancellable? = subject.sink { seen.append("b\($0)") }
    for value in [1, -1] { subject.send(value) }
    #expect(second != nil)
    second = nil
    subject.send(2)
    subject.send(completion: .finished)
    subject.send(3)
    #expect(seen == ["a1", "b1", "b-1", "a2", "end"])
    let late = subject.sink(receiveCompletion: { _ in seen.append("late") }) { _ in }
    late.cancel()
    #expect(seen.last == "late")
  }

  @Test("Combine: a subject with a value gives it at once; a published property keeps its own")
  func current() {
    let subject = CurrentValueSubject<Int, Never>(1)
    var seen: [Int] = []
    let kept = subject.sink { seen.append($0) }
    subject.value = 2
    subject.send(completion: .finished)
    subject.send(3)
    kept.cancel()
    #expect(seen == [1, 2] && subject.value == 2)
    let model = Model()
    model.count += 1
    #expect(model.count == 2)
    var just: [Int] = []
    _ = Just(4).sink { just.append($0) }
    #expect(just == [4])
  }

  @Test("Network: a monitor says once that there is a wireless network")
  func network() async {
    let monitor = NWPathMonitor()
    let path = await withCheckedContinuation { continuation in
      monitor.pathUpdateHandler = { path in continuation.resume(returning: path) }
      monitor.start(queue: DispatchQueue(label: "monitor"))
    }
    #expect(path.status == .satisfied && path.usesInterfaceType(.wifi))
    #expect(!path.usesInterfaceType(.cellular) && !path.isExpensive)
    monitor.cancel()
    #expect(monitor.pathUpdateHandler == nil)
  }

  @Test("SystemConfiguration: each host is reachable")
  func reachability() throws {
    let host = try #require(SCNetworkReachabilityCreateWithName(nil, "example.com"))
    var flags = SCNetworkReachabilityFlags()
    #expect(SCNetworkReachabilityGetFlags(host, &flags))
    #expect(flags.contains(.reachable) && !flags.contains(.connectionRequired))
  }

  @Test("UIPasteboard: this process has its text")
  func pasteboard() {
    UIPasteboard.general.string = "https://example.com"
    #expect(UIPasteboard.general.string == "https://example.com")
    #expect(UIPasteboard.general.url?.host() == "example.com" && UIPasteboard.general.hasStrings)
    UIPasteboard.general.string = nil
    #expect(!UIPasteboard.general.hasStrings && UIPasteboard.general.url == nil)
  }

  @Test("CallKit, WidgetKit, notifications of processes: the call returns")
  func calls() async throws {
    var isCalled = false
    CXProvider.reportNewIncomingVoIPPushPayload(["a": 1]) { isCalled = $0 == nil }
    #expect(isCalled)
    try await CXProvider.reportNewIncomingVoIPPushPayload(["a": 1])
    WidgetCenter.shared.reloadAllTimelines()
    WidgetCenter.shared.reloadTimelines(ofKind: "Unread")
    CFNotificationCenterPostNotification(
      CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName("com.example" as CFString),
      nil, nil, true)
  }

  @Test("SQLite3: it is SQLite itself")
  func sqlite() throws {
    var database: OpaquePointer?
    #expect(unsafe sqlite3_open(":memory:", &database) == SQLITE_OK)
    defer { unsafe sqlite3_close(database) }
    var statement: OpaquePointer?
    #expect(unsafe sqlite3_prepare_v2(database, "SELECT 6 * 7", -1, &statement, nil) == SQLITE_OK)
    defer { unsafe sqlite3_finalize(statement) }
    #expect(unsafe sqlite3_step(statement) == SQLITE_ROW)
    #expect(unsafe sqlite3_column_int(statement, 0) == 42)
  }

  @Test("Core Foundation's types are Foundation's, with casts in both directions")
  func bridges() throws {
    let data = Data([1, 2]) as CFData
    #expect(data as Data == Data([1, 2]))
    let options: [CFString: Any] = ["a" as CFString: 1]
    #expect((options as CFDictionary)["a" as CFString] as? Int == 1)
    let url = try #require(URL(string: "https://example.com")) as CFURL
    #expect((url as URL).host() == "example.com" && ["a"] as CFArray == ["a"] as NSArray)
    #expect(CGSize(width: 1, height: 2).debugDescription == "(1.0, 2.0)")
  }
}
