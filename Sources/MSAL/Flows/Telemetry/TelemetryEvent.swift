import Foundation

/// The telemetry of one call for the program's callback (``MSALTelemetryConfig``). Never contains a token.
///
/// Keys: `msal.api_id` (167 interactive, 34 silent), `msal.correlation_id`, `msal.is_successful` (`yes`, `no`),
/// `msal.is_from_cache`, `msal.authority`, `msal.error_domain`, `msal.error_code`, `msal.error_detail` (the authority's
/// error, else the internal code), and with ``MSALTelemetryConfig/piiEnabled`` `msal.user_id` and `msal.tenant_id`.
struct TelemetryEvent: Sendable {
    let api: RequestTelemetry.API
    let correlationID: UUID
    let outcome: Result<MSALResult, MSALAuthenticationError>

    /// Calls the program's callback, unless the settings exclude this event.
    func tell(_ settings: MSALTelemetryConfig.Settings) {
        guard let callback = settings.callback?.tell else { return }
        if settings.notifyOnFailureOnly, case .success = outcome { return }
        callback(members(withPersonalData: settings.piiEnabled))
    }

    private func members(withPersonalData: Bool) -> [String: String] {
        var members = ["msal.api_id": String(api.rawValue), "msal.correlation_id": correlationID.uuidString]
        switch outcome {
        case .success(let result):
            members["msal.is_successful"] = "yes"
            members["msal.is_from_cache"] = result.isFromCache ? "yes" : "no"
            members["msal.authority"] = result.authority.url.host()
            if withPersonalData {
                members["msal.user_id"] = result.account.identifier
                members["msal.tenant_id"] = result.tenantProfile.tenantId
            }
        case .failure(let error):
            members["msal.is_successful"] = "no"
            members["msal.error_domain"] = error.domain
            members["msal.error_code"] = String(error.code)
            members["msal.error_detail"] = RequestTelemetry.code(of: error)
        }
        return members
    }
}
