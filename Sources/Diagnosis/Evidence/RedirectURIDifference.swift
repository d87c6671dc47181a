import Foundation

/// The only difference between two redirect URIs.
enum RedirectURIDifference: Equatable {
    case letterCase, finalSlash, port, path, scheme

    init?(_ one: String, _ other: String) {
        if one == other { return nil }
        if one.lowercased() == other.lowercased() {
            self = .letterCase
        } else if one.trimmingSuffix("/") == other.trimmingSuffix("/") {
            self = .finalSlash
        } else if let one = URL(string: one), let other = URL(string: other), one.host == other.host {
            if one.scheme != other.scheme {
                self = .scheme
            } else if one.port != other.port, one.path == other.path {
                self = .port
            } else if one.port == other.port {
                self = .path
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    var sentence: String {
        switch self {
        case .letterCase: "Only the letter case differs."
        case .finalSlash: "Only the final slash differs."
        case .port: "Only the port differs."
        case .path: "Only the path differs."
        case .scheme: "Only the scheme differs."
        }
    }
}
