import Foundation
import OAuthCore

/// The device authorization grant, for devices without a browser (RFC 8628).
extension DemoAuthority {
    /// The device authorization endpoint (§3.1 and §3.2).
    mutating func deviceAuthorization(
        _ received: ReceivedRequest, at selector: TenantSelector
    ) throws(AuthorityError) -> HTTPResponse {
        let (form, client) = try clientForm(received)
        guard let scope = form.value("scope") else { throw .missing("scope") }
        let expiry = received.now + lifetimes.deviceCode
        let device = DeviceSignIn(
            client: client, selector: selector, scopes: try directory.scopes(in: scope), expiry: expiry,
            interval: lifetimes.devicePollInterval)
        let deviceCode = randomToken()
        let userCode = UserCode.make(randomBytes)
        // Kept after expiry, to tell an expired code from an unknown one.
        devices.insert(device, for: digest(deviceCode), until: expiry + 3600, at: received.now)
        userCodes.insert(digest(deviceCode), for: userCode, until: expiry, at: received.now)
        return .json([
            "device_code": .string(deviceCode), "user_code": .string(userCode),
            "verification_uri": .string("\(origin)/device"),
            "verification_uri_complete": .string("\(origin)/device?user_code=\(userCode)"),
            "expires_in": .integer(Int64(lifetimes.deviceCode)),
            "interval": .integer(Int64(lifetimes.devicePollInterval)),
            "message": .string("To sign in, open \(origin)/device in a browser and enter the code \(userCode)."),
        ])
    }

    /// The page to enter a code (§3.3), and its submitted form.
    mutating func device(_ received: ReceivedRequest) throws(AuthorityError) -> HTTPResponse {
        guard received.request.method == .post else { return .page(.device(code: received.query.value("user_code"))) }
        guard wrongUserCodes.isOpen(at: received.now) else { throw AuthorityError(.tooManyWrongCodes) }
        let typed = received.form?["user_code"] ?? ""
        let code = UserCode.normalized(typed)
        guard let key = userCodes.value(for: code, at: received.now), let device = openDevice(key, received) else {
            wrongUserCodes.note(at: received.now)
            return .page(.device(code: typed, problem: Self.unknownCode))
        }
        return try start(AuthorizeRequest(device, key: key), received)
    }

    private static let unknownCode = "The code is unknown or has expired."

    private func openDevice(_ key: String, _ received: ReceivedRequest) -> DeviceSignIn? {
        devices.value(for: key, at: received.now).flatMap {
            $0.decision == .open && received.now < $0.expiry ? $0 : nil
        }
    }

    /// Keeps the first decision on a code: several browsers can have entered it.
    mutating func decide(
        _ key: String, _ decision: DeviceSignIn.Decision, _ received: ReceivedRequest, shows page: Page
    ) -> HTTPResponse {
        guard openDevice(key, received) != nil else { return .page(.device(code: nil, problem: Self.unknownCode)) }
        devices.update(key) { $0.decision = decision }
        return .page(page)
    }

    /// The device code grant of the token endpoint (§3.4 and §3.5).
    mutating func redeemDeviceCode(
        _ form: Parameters, _ client: RegisteredClient, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        guard let code = form.value("device_code") else { throw .missing("device_code") }
        let key = digest(code)
        guard let device = devices.value(for: key, at: received.now), device.client.id == client.id else {
            throw AuthorityError(.invalidGrant)
        }
        switch device.decision {
        case .granted where settings.policies.blocksDeviceCodes:
            devices.remove(key)
            throw AuthorityError(.deviceCodeBlocked)
        case .granted(let grant): return try redeem(grant, key, form, received)
        case .denied:
            devices.remove(key)
            throw AuthorityError(.declined)
        case .open: throw stillOpen(device, key, received)
        }
    }

    private mutating func stillOpen(_ device: DeviceSignIn, _ key: String, _ received: ReceivedRequest)
        -> AuthorityError
    {
        guard received.now < device.expiry else { return AuthorityError(.deviceCodeExpired) }
        // Tolerates varying network delays between polls.
        let isEarly = device.lastPolled.map { received.now.timeIntervalSince($0) < device.interval - 0.5 } ?? false
        let slowsDown = isEarly || device.polls + 1 == settings.busyPoll
        devices.update(key) {
            $0.lastPolled = received.now
            $0.polls += 1
            if slowsDown { $0.interval += 5 }
        }
        return AuthorityError(slowsDown ? .polledTooOften : .authorizationPending)
    }

    private mutating func redeem(
        _ grant: Grant, _ key: String, _ form: Parameters, _ received: ReceivedRequest
    ) throws(AuthorityError) -> HTTPResponse {
        let scopes = try narrowed(grant.scopes, to: form)
        let confirmation = try confirmation(form)
        devices.remove(key)
        let refreshToken = grant.holdsOffline ? startFamily(identifier(), grant, received) : nil
        return try tokenResponse(
            grant, scopes, nonce: nil, refreshToken: refreshToken, withClientInfo: form["client_info"] == "1",
            confirmation: confirmation, received)
    }
}
