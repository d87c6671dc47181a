import Foundation

/// The log of MSAL for iOS, macOS, Python, .NET or JavaScript, of ADAL, AppAuth, `az --debug` or `keyturn -vv`.
struct LogFile: Sendable, Equatable {
    struct Line: Sendable, Equatable {
        /// The line number, starting at 1.
        var number: Int
        var text: String
    }

    /// The program that wrote the log.
    enum Writer: String, Sendable, CaseIterable {
        case keyturn = "keyturn", msalApple = "MSAL for iOS and macOS", adal = "ADAL", msalDotNet = "MSAL.NET"
        case msalJavaScript = "MSAL.js", appAuth = "AppAuth", azureCLI = "Azure CLI", msalPython = "MSAL Python"

        /// Text that only this program writes.
        fileprivate var marks: [String] {
            switch self {
            case .keyturn: ["keyturn: log: "]
            case .msalApple: [" MSAL ", "MSALErrorDomain", "MSIDOAuthErrorDomain", "MSALErrorDescriptionKey"]
            case .adal: ["ADAL ", "ADAuthenticationErrorDomain"]
            case .msalDotNet: [" MSAL.NetCore", " MSAL.Desktop", " MSAL.Xamarin", "MsalUiRequiredException"]
            case .msalJavaScript: ["@azure/msal-", "BrowserAuthError"]
            case .appAuth: ["org.openid.appauth"]
            case .azureCLI: ["azure.cli", "cli.azure", "az_command", "cli.knack"]
            case .msalPython:
                ["msal.application", "msal.authority", "msal.token_cache", "msal.oauth2cli", "urllib3.connectionpool"]
            }
        }
    }

    let writer: Writer
    let lines: [Line]

    /// Returns `nil` if no line comes from a known program.
    init?(_ text: String) {
        guard text.contains("\n") || text.contains("Error Domain=") else { return nil }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Line(number: $0.offset + 1, text: String($0.element.prefix(Self.mostOfLine))) }
        guard let writer = Self.writer(of: lines) else { return nil }
        self.writer = writer
    }

    private static let mostOfLine = 16 << 10

    /// Decides by the first line with a mark. .NET comes before Apple, because its lines contain Apple's marks.
    private static func writer(of lines: [Line]) -> Writer? {
        let order: [Writer] = [
            .keyturn, .msalDotNet, .msalJavaScript, .appAuth, .adal, .azureCLI, .msalPython, .msalApple,
        ]
        for line in lines {
            if let writer = order.first(where: { writer in writer.marks.contains { line.text.contains($0) } }) {
                return writer
            }
        }
        return nil
    }

    /// The first line that contains one of the texts.
    func line(containing texts: String...) -> Line? {
        lines.first { line in texts.contains { line.text.contains($0) } }
    }

    /// The first line with an `NSError` or `OSStatus` of this number. A separator must precede the number, because the
    /// groups of a UUID look like negative numbers.
    func line(withCode code: Int) -> Line? {
        lines.first { line in
            line.text.ranges(of: "\(code)").contains { range in
                let before = line.text[..<range.lowerBound].last ?? " "
                let after = line.text[range.upperBound...].first ?? " "
                return " =(:[,".contains(before) && !after.isNumber
            }
        }
    }
}
