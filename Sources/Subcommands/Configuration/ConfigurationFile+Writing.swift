import Foundation

/// Changing the file. It is replaced as a whole, so that whoever reads it meanwhile sees the old one or the new one.
extension ConfigurationFile {
    /// Changes a file that is right, or makes one. A file with a mistake in it is left alone: what is wrong with it is
    /// thrown.
    package func change(_ edit: ConfigurationEdit) throws {
        let old = try text()
        if let old { _ = try ConfigurationReader.read(old, file: path) }
        let new = try edit.applied(to: old)
        // What would not be read back is not written.
        _ = try ConfigurationReader.read(new, file: path)
        try replace(by: new, ifStill: old)
    }

    private func replace(by new: String, ifStill old: String?) throws {
        // A link to a file kept elsewhere goes on leading there.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard try text() == old else {
            throw CommandFailure(
                .configuration, name: "configurationChanged", "\(path) was changed by somebody else just now.",
                nextStep: "Look at it, then try again.")
        }
        try ExportedFile(path: target, replaces: old != nil).writeMakingFolder(Data(new.utf8))
    }
}
