import Foundation

/// Where an initialiser that cannot throw leaves its error: `var error: NSError?`, passed as `&error`. Apple's Foundation
/// has this type, the one of this system lacks it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
