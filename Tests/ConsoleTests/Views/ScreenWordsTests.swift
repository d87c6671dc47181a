import Diagnosis
import Foundation
import MSAL
import TestSupport
import Testing

@testable import Console

@Suite("Options and commands in the words of a screen")
struct ScreenWordsTests {
    @Test("A screen names its key, and what a form has needs no name")
    func words() {
        #expect(
            "Sign in, or paste the final URL (--method paste).".onScreen
                == "Sign in, or paste the final URL (p on Accounts).")
        #expect("Set the CA file in the profile (--ca-file).".onScreen == "Set the CA file in the profile.")
        #expect("Check the set-up ('keyturn check').".onScreen == "Check the set-up (v).")
        #expect("Use another port (--listen).".onScreen == "Use another port (--listen).")
        #expect(CheckFinding("A", .failed, "B (--profile).", fix: nil).onScreen.fact == "B (P).")
    }

    /// What a screen can't do: these are options of the program's start, or commands for a shell.
    private static let others = [
        "--listen", "--client-id ID --authority", "'keyturn client-metadata'", "'keyturn check --accept-cache'",
        "keyturn register",
    ]

    @Test("No advice on a screen names an option or a command for which the screen has a key")
    func failures() {
        for row in FailureRow.oAuth + FailureRow.conditions {
            var advice = Failure(Failure(row.failure), at: .distantPast).screenAdvice
            for other in Self.others { advice = advice.replacingOccurrences(of: other, with: "") }
            #expect(!advice.contains("--") && !advice.contains("keyturn"), "\(advice)")
        }
        for code in MSALInternalError.allCases {
            let entries = Failure(headline: "", reason: "", internalCode: code.rawValue).explanations
            #expect(!entries.contains { $0.nextStep.onScreen.contains("eyturn check") }, "\(code)")
        }
    }
}
