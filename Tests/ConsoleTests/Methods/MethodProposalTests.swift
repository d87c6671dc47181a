import Foundation
import Testing

@testable import Console

@Suite("Suggested sign-in methods")
struct MethodProposalTests {
    private static let ssh = "SSH_CONNECTION"
    private static let connection = "10.0.0.2 50022 192.0.2.7 22"

    @Test(
        "The best method for the environment comes first",
        arguments: [
            (["DISPLAY": ":0"], [.browser, .device, .paste]),
            (["WAYLAND_DISPLAY": "wayland-0"], [.browser, .device, .paste]),
            ([:], [.device, .paste, .browser]), (["DISPLAY": ""], [.device, .paste, .browser]),
            ([ssh: connection], [.device, .paste, .browser]), (["SSH_TTY": "/dev/pts/0"], [.device, .paste, .browser]),
            ([ssh: connection, "DISPLAY": "localhost:10.0"], [.device, .paste, .browser]),
            ([ssh: connection, "BROWSER": "/opt/editor/bin/open"], [.browser, .device, .paste]),
            // There, $BROWSER opens pages on another machine, which can't reach the listener.
            (["CODESPACES": "true", "BROWSER": "/opt/editor/bin/open"], [.device, .paste, .browser]),
            (["GITPOD_WORKSPACE_ID": "w", "BROWSER": "open", "DISPLAY": ":0"], [.device, .paste, .browser]),
            (["VSCODE_PROXY_URI": "https://a.example/{{port}}", "BROWSER": "open"], [.device, .paste, .browser]),
            (["WSL_DISTRO_NAME": "Debian"], [.browser, .device, .paste]),
            (["container": "podman", "DISPLAY": ":0"], [.device, .paste, .browser]),
        ] as [([String: String], [SignInMethod])])
    func order(environment: [String: String], methods: [SignInMethod]) {
        let proposal = MethodProposal(MachineFacts(environment: environment))
        #expect(proposal.choices.map(\.method) == methods)
        #expect(proposal.best == methods.first)
        #expect(proposal.choices.allSatisfy { $0.reason.hasSuffix(".") })
    }

    @Test("Over ssh, the browser of the user's own computer comes first, if it opens pages")
    func lentBrowser() {
        var facts = MachineFacts(environment: ["SSH_CONNECTION": "198.51.100.7 1 192.0.2.2 22"])
        #expect(MethodProposal(facts).best == .device)
        facts.lendsBrowser = true
        #expect(MethodProposal(facts, prefersPaste: true).usual == [.browser])
    }

    @Test(
        "The profile's browser and the authority's discovery decide too",
        arguments: [
            (false, nil, [.device, .paste, .browser], [.device, .paste]),
            (false, true, [.device, .paste, .browser], [.device, .paste]),
            (false, false, [.paste, .browser], [.paste]),
            (true, true, [.browser, .device, .paste], [.browser]), (true, false, [.browser, .paste], [.browser]),
        ] as [(Bool, Bool?, [SignInMethod], [SignInMethod])])
    func profileAndAuthority(
        namesBrowser: Bool, offersDeviceCode: Bool?, methods: [SignInMethod], usual: [SignInMethod]
    ) {
        let proposal = MethodProposal(MachineFacts(ssh: MachineFacts.SSH()))
            .fitting(namesBrowser: namesBrowser, offersDeviceCode: offersDeviceCode)
        #expect(proposal.choices.map(\.method) == methods)
        #expect(proposal.usual == usual)
        #expect((proposal.obstacle(to: .device) != nil) == (offersDeviceCode == false))
        #expect(proposal.obstacle(to: .paste) == nil)
    }

    @Test(
        "Where many organisations block device codes, a paste comes first if the browser is on another machine",
        arguments: [
            ([ssh: connection], [.paste, .device, .browser], [.paste]),
            (["CODESPACES": "true"], [.paste, .device, .browser], [.paste]),
            ([:], [.device, .paste, .browser], [.device, .paste]),
            (["DISPLAY": ":0"], [.browser, .device, .paste], [.browser]),
        ] as [([String: String], [SignInMethod], [SignInMethod])])
    func blockedDeviceCodes(environment: [String: String], methods: [SignInMethod], usual: [SignInMethod]) {
        let proposal = MethodProposal(MachineFacts(environment: environment), prefersPaste: true)
        #expect(proposal.choices.map(\.method) == methods && proposal.usual == usual)
    }

    @Test(
        "Facts beyond the environment",
        arguments: [("6.1.0-18-amd64", false), ("5.15.90.1-microsoft-standard-WSL2", true)])
    func kernel(release: String, isWSL: Bool) {
        #expect(MachineFacts(environment: [:], kernelRelease: release).isWSL == isWSL)
        #expect(MachineFacts(environment: [:], isContainer: true).isContainer)
        #expect(MachineFacts(environment: ["TERM": "dumb"]).isDumb)
    }

    @Test(
        "The ssh command can be copied unchanged",
        arguments: [
            ([ssh: connection, "USER": "alice"], "ssh -N -L 51234:localhost:51234 alice@192.0.2.7"),
            (
                [ssh: "::1 4 2001:db8::7 2222", "LOGNAME": "bob"],
                "ssh -N -L 51234:localhost:51234 -p 2222 bob@2001:db8::7"
            ),
            (["SSH_TTY": "/dev/pts/0"], "ssh -N -L 51234:localhost:51234 HOST"),
            ([ssh: "a b $(reboot) 22", "USER": "x;reboot"], "ssh -N -L 51234:localhost:51234 HOST"),
            ([ssh: "1 2 192.0.2.7 99999999"], "ssh -N -L 51234:localhost:51234 192.0.2.7"), ([:], nil),
        ] as [([String: String], String?)])
    func forwarding(environment: [String: String], line: String?) throws {
        let proposal = MethodProposal(MachineFacts(environment: environment))
        let redirect = "redirect_uri=http%3A%2F%2Flocalhost%3A51234"
        let page = try #require(URL(string: "https://login.contoso.example/authorize?\(redirect)"))
        #expect(proposal.portForwarding(page: page) == line)
        // A device code has no redirect URI.
        let code = try #require(URL(string: "http://127.0.0.1:51234/device"))
        #expect(proposal.portForwarding(page: code) == line)
        #expect(proposal.portForwarding(page: try #require(URL(string: "https://login.example/device"))) == nil)
        // The built-in authority's page is on this computer too.
        let demo = try #require(URL(string: "http://127.0.0.1:8400/authorize?\(redirect)"))
        #expect(
            proposal.portForwarding(page: demo)
                == line?.replacing("51234:localhost:51234", with: "51234:localhost:51234 -L 8400:localhost:8400"))
    }
}

@Suite("The port to forward over ssh")
struct RedirectPortTests {
    @Test(
        "It is the port of the redirect URI, also of a sign-out",
        arguments: ["redirect_uri", "post_logout_redirect_uri"])
    func port(parameter: String) {
        let page = URL(string: "https://login.contoso.example/p?\(parameter)=http%3A%2F%2Flocalhost%3A42445&state=1")
        #expect(page?.redirectPort == 42445)
    }
}
