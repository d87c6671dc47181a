import OAuthCore

/// A sovereign cloud of Azure (MSAL for iOS and macOS, `MSALAzureCloudInstance`).
public enum MSALAzureCloudInstance: Int, Sendable, CaseIterable {
    /// The worldwide public cloud.
    case publicCloudInstance = 0
    /// China's cloud.
    case chinaCloudInstance = 1
    /// Germany's former cloud.
    case germanyCloudInstance = 2
    /// The cloud of the United States government.
    case usGovernmentCloudInstance = 3
    /// France's sovereign cloud (Bleu).
    case franceCloudInstance = 4
    /// Germany's sovereign cloud (Delos).
    case delosCloudInstance = 5
    /// The cloud of the government of Singapore.
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
