import Diagnosis

/// Texts of the library and of checks say what to do, then name the option or command that does it in parentheses, as on
/// the command line: "paste the final URL (--method paste)". A screen names its own way in that place.
extension String {
    var onScreen: String {
        guard contains("(") else { return self }
        return Self.keys.reduce(self) { text, way in
            text.replacing(" (\(way.key))", with: way.value.isEmpty ? "" : " (\(way.value))")
        }
    }

    /// The screen's ways, by the words of the command line. Empty where the text says enough, because a form has the field.
    private static let keys: [String: String] = [
        "--method paste": "\(Verb.paste.label) on Accounts", "--method device": "\(Verb.deviceCode.label) on Accounts",
        "'keyturn sign-in --method paste'": "\(Verb.paste.label) on Accounts",
        "'keyturn sign-in --method browser'": Verb.signIn.label, "'keyturn sign-in'": Verb.signIn.label,
        "'keyturn sign-in --enter-client-secret'": Verb.profiles.label, "--client-secret-file": "", "--authority": "",
        "'keyturn check'": Verb.check.label, "--profile": Verb.profiles.label, "--ca-file": "",
        "--ca-file, SSL_CERT_FILE": "", "--redirect-uri": "", "--client-id, --authority": "",
        "'keyturn register'": "in a shell: keyturn register",
    ]
}

extension CheckFinding {
    var sentences: String { [fact, fix].compactMap(\.self).joined(separator: " ") }

    package var onScreen: CheckFinding {
        var finding = self
        (finding.fact, finding.fix) = (fact.onScreen, fix?.onScreen)
        return finding
    }
}

extension CheckReport {
    package var onScreen: CheckReport {
        var report = self
        for index in report.sections.indices {
            report.sections[index].findings = report.sections[index].findings.map(\.onScreen)
        }
        return report
    }
}

extension DraftJudgement {
    package var onScreen: DraftJudgement { DraftJudgement(findings.mapValues(\.onScreen)) }
}
