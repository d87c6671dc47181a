import Foundation

/// A unified cache in a file or keyring: JSON, or base64 of it (MSAL .NET and Go).
package struct UnifiedPayload: Sendable {
    package enum Form: Sendable, Equatable {
        case raw
        case base64
    }

    package var form: Form
    package var document: UnifiedDocument

    package init(form: Form = .raw, document: UnifiedDocument = UnifiedDocument()) {
        self.form = form
        self.document = document
    }

    /// Parses either form, distinguished by the first character. A JSON object never starts like base64.
    package init(parsing bytes: [UInt8]) throws(UnifiedDocument.Malformed) {
        let first = bytes.first { ![0x20, 0x0A, 0x0D, 0x09].contains($0) }
        let isBase64 = first.map { [0x2B, 0x2F].contains($0) || Character(Unicode.Scalar($0)).isASCIILetterOrDigit }
        guard isBase64 == true else {
            self.init(form: .raw, document: try UnifiedDocument(parsing: bytes))
            return
        }
        guard let decoded = Data(base64Encoded: Data(bytes), options: .ignoreUnknownCharacters),
            decoded.first.map({ $0 == UInt8(ascii: "{") || $0 == 0xEF }) == true
        else { throw .notJSON }
        self.init(form: .base64, document: try UnifiedDocument(parsing: Array(decoded)))
    }

    package var bytes: [UInt8] {
        switch form {
        case .raw: document.bytes
        case .base64: Array(Data(document.bytes).base64EncodedData())
        }
    }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
