// Apple's module exports UIKit and UserNotifications too.
@_exported public import UIKit
@_exported public import UserNotifications
