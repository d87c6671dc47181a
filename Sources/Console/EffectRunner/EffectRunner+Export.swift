import MSAL

extension EffectRunner {
    /// Writes what the user exports.
    func write(_ export: Export, replaces: Bool, _ profile: ProgramProfile?) async throws -> Exported {
        let text: String
        var changes = ""
        switch export.content {
        case .text(let content): text = content
        case .supportReport: text = await services.report(profile)
        case .redactedCopy(let source, let texts):
            try services.keepSource(source, export.path)
            let copy = try services.redact(source, texts, profile)
            (text, changes) = (copy.text, copy.changes)
        case .caseFiles(let source, let texts):
            try services.keepSource(source, export.path)
            return try exported(export, try services.writeCase(source, texts, profile, export.path, replaces))
        }
        try Task.checkCancellation()
        try services.write(text, export.path, replaces)
        return try exported(export, changes)
    }

    private func exported(_ export: Export, _ changes: String) throws -> Exported {
        Exported(path: export.path, changes: changes, isPathCopied: services.copy(export.path) == .sent)
    }
}
