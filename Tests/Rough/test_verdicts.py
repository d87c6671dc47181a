"""Leaks and losses are detected in the output of the long runs, and spent tokens in the exchanges."""

import json
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import leaks  # noqa: E402  (found by the path above)
import soak  # noqa: E402
from ledger import Ledger  # noqa: E402
from usage import Usage  # noqa: E402

# The output of a process without a leak.
RESIDENT = [33404, 33416, 33400, 33452, 33576, 33592, 33588, 33596, 33588, 33624, 33616]
DESCRIPTORS = [13, 13, 13, 15, 15, 15, 15, 15, 15, 15, 15]


def usage(resident=RESIDENT, descriptors=DESCRIPTORS):
    lines = [f"usage {kibibytes} {files} 7" for kibibytes, files in zip(resident, descriptors)]
    return Usage.read(["listening", *lines, "count 3 signed in"])


def growing(values, step):
    return [value + step * number for number, value in enumerate(values)]


class Leaks(unittest.TestCase):
    def test_none(self):
        self.assertEqual(leaks.leaks(usage()), set())

    def test_memory_at_each_sign_in(self):
        self.assertEqual(leaks.leaks(usage(resident=growing(RESIDENT, 200))), {"memory"})

    def test_a_descriptor_at_some_sign_ins(self):
        self.assertEqual(leaks.leaks(usage(descriptors=growing(DESCRIPTORS, 2))), {"descriptors"})

    def test_a_temporary_increase_is_not_a_leak(self):
        resident, descriptors = list(RESIDENT), list(DESCRIPTORS)
        resident[8] += 20_000
        descriptors[9] += 100
        self.assertEqual(leaks.leaks(usage(resident, descriptors)), set())

    def test_growth_at_the_start_is_not_a_leak(self):
        self.assertEqual(leaks.leaks(usage(resident=[9000, 9000, *RESIDENT[2:]])), set())


class Soak(unittest.TestCase):
    COUNTS = {"signed in": 400, "refreshed": 700, "not refreshed: the network": 9, "not signed in: the authority, 503": 4}
    SIZES = [90, 120, 130, 136, 140, 140, 132, 140, 140, 140]

    def judge(self, counts=None, usages=None, sizes=None, statuses=None):
        _, failures = soak.judge(
            {**self.COUNTS, **(counts or {})}, usages or [usage()] * 4, sizes or self.SIZES, statuses or [0] * 4)
        return failures

    def test_a_good_hour(self):
        self.assertEqual(self.judge(), [])

    def test_failures(self):
        for name, found in {
            "a lost account": self.judge(counts={"lost: the account": 1}),
            "an error that nothing explains": self.judge(counts={"not refreshed: MSALErrorDomain -50000, no": 1}),
            "memory of one of four": self.judge(usages=[usage()] * 3 + [usage(resident=growing(RESIDENT, 500))]),
            "descriptors of one of four": self.judge(usages=[usage(descriptors=growing(DESCRIPTORS, 2))] + [usage()] * 3),
            "the store's files": self.judge(sizes=growing(self.SIZES, 60)),
            "a process that died": self.judge(statuses=[0, 0, -6, 0]),
        }.items():
            with self.subTest(name):
                self.assertEqual(len(found), 1, found)


def refreshed(sent, status=200, **issued):
    """A refresh at the authority, and its response."""
    head = b"POST /contoso/oauth2/v2.0/token HTTP/1.1\r\nHost: x\r\n\r\n"
    request = head + f"grant_type=refresh_token&refresh_token={sent}".encode()
    return request, f"HTTP/1.1 {status} X\r\n\r\n".encode() + json.dumps(issued).encode()


class Spending(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()

    def holds(self, sent, **issued):
        return self.ledger.holds_successor(lambda: self.ledger.note(*refreshed(sent, **issued)))

    def test_a_successor_in_the_cache(self):
        self.ledger.note(*refreshed("a", refresh_token="b"))
        self.assertTrue(self.holds("b", refresh_token="c"))

    def test_a_lost_successor(self):
        self.ledger.note(*refreshed("a", refresh_token="b"))
        self.assertFalse(self.holds("a", status=400))
        self.assertEqual(self.ledger.redemptions, 1)

    def test_no_refresh_token_at_all(self):
        self.assertFalse(self.ledger.holds_successor(lambda: None))

    def test_tokens_that_stay_valid(self):
        for issued in ({}, {"refresh_token": "a"}):
            self.ledger.note(*refreshed("a", **issued))
        self.ledger.note(*refreshed("a", status=503))
        self.assertTrue(self.holds("a"))

    def test_registrations(self):
        for status in (201, 400, 201):
            self.ledger.note(b"POST /register HTTP/1.1\r\n\r\n{}", f"HTTP/1.1 {status} X\r\n\r\n".encode())
        self.assertEqual(self.ledger.registrations, 2)


if __name__ == "__main__":
    unittest.main()
