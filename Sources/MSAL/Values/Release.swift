/// The release of the library and of the program. A test compares it with `Resources/Info.plist`.
package enum Release {
    package static let version = "0.2.0"
}
