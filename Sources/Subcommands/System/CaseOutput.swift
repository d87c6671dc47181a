import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

/// Writes the files of a case: into a folder, into one archive if the path ends in `.zip`, or the handout alone if it ends in `.html`.
struct CaseOutput {
    let path: String
    let replaces: Bool

    func write(_ copy: Redaction, of evidence: EvidenceInput) throws(Failure) {
        let name = evidence.isFile ? evidence.name.fileName : nil
        let files = CaseFiles(copy, copied: copy.copied, name: name)
        if path.lowercased().hasSuffix(".zip") {
            return try ExportedFile(path: path, replaces: replaces).write(Data(files.archive))
        }
        if path.lowercased().hasSuffix(".html") {
            guard let handout = files.files.first(where: { $0.name == CaseFiles.handout }) else { throw .noRequests }
            return try ExportedFile(path: path, replaces: replaces).write(Data(handout.text.utf8))
        }
        let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let all = files.files.map { (ExportedFile(path: "\(folder)/\($0.name)", replaces: replaces), $0.text) }
        // None is written if one exists.
        for (file, _) in all { try file.check() }
        for (file, text) in all { try file.writeMakingFolder(Data(text.utf8)) }
    }
}
