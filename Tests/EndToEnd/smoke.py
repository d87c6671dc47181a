"""The end-to-end tests of what only the release has: its linker and its options, ICU data, size-optimised code, no Swift
runtime beside it, and the memory and time that a user notices. `make smoke` runs them; a name that is gone fails."""

import sys
import unittest

TESTS = """
test_scripts.BinaryCheck.test_it_is_hardened
test_scripts.BinaryCheck.test_it_needs_no_swift_runtime
test_scripts.ScriptJourney.test_a_crash_shows_no_memory
test_scripts.ScriptJourney.test_no_secret_in_arguments_and_no_core
test_scripts.ScriptJourney.test_signals
test_scripts.ScriptJourney.test_closed_streams
test_interruption.InterruptionJourney.test_a_signal_during_a_refresh
test_terminal.TerminalJourney.test_after_a_crash
test_terminal.TerminalJourney.test_suspended_and_continued
test_screen.ScreenJourney.test_the_form_signs_in
test_step.BuiltInAuthorityJourney.test_a_device_code
test_screen.ScreenJourney.test_a_token_is_refreshed
test_screen.ScreenJourney.test_themes_and_a_locale_without_utf8
test_screen.ScreenJourney.test_a_locale_that_is_not_installed
test_golden.GoldenJourney.test_the_empty_account_list
test_golden.GoldenJourney.test_accounts_form_and_claims
test_golden.GoldenJourney.test_a_failure
test_plain.AtAPipe.test_every_task
test_manners.Idle.test_the_account_list_never_wakes_up
test_manners.Line.test_each_key
test_install.InstallJourney
test_diagnosis.ExplainJourney.test_a_large_recording
test_diagnosis.ExplainJourney.test_a_recording_of_ten_thousand_token_requests
test_evidence.LongTextRow
test_machine.MachineJourney.test_few_descriptors
test_machine.MachineJourney.test_little_memory
test_machine.MachineJourney.test_limits_on_a_terminal
test_mcp.OpenServerJourney.test_a_client_that_does_not_read
test_machine.MachineJourney.test_without_the_http_library
test_machine.MachineJourney.test_without_proc
test_machines.LimitRow.test_limits_that_are_too_low
test_network.NetworkJourney.test_certificate_authorities
test_network.NetworkJourney.test_by_a_proxy
""".split()

if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromNames(TESTS)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
