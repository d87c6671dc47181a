import CSystem

/// The arguments of the process, also without /proc, where `CommandLine.arguments` is empty.
package enum ProcessArguments {
    /// Without the program's name.
    package static var list: [String] {
        var arguments: [String] = []
        var place = keyturn_process_arguments()
        while let argument = place?.pointee {
            arguments.append(String(cString: argument))
            place = place?.successor()
        }
        return Array(arguments.dropFirst())
    }
}
