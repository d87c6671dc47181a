import OAuthCore

/// A sovereign cloud of Azure (MSAL for iOS and macOS, `MSALAzureCloudInstance`).
public enum MSALAzureCloudInstance: Int, Sendable, CaseIterable {
    case publicCloudInstance = 0
    case chinaCloudInstance = 1
    case germanyCloudInstance = 2
    case usGovernmentCloudInstance = 3
    case franceCloudInstance = 4
    case delosCloudInstance = 5
    case govSGCloudInstance = 6

    var environment: String {
        let cloud: AuthorityRules.Cloud =
            switch self {
            case .publicCloudInstance: .publicCloud
            case .chinaCloudInstance: .china
            case .germanyCloudInstance: .germany
            case .usGovernmentCloudInstance: .usGovernment
            case .franceCloudInstance: .france
            case .delosCloudInstance: .delos
            case .govSGCloudInstance: .singaporeGovernment
            }
        return cloud.rawValue
    }
}
