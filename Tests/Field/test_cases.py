"""What people posted when a sign-in failed, with the cause that the thread found in the end.

The evidence is in Tests/DiagnosisTests/Explanation/Cases, rewritten. A row here is made for each case: the installed program reads
the file as a user would give it to it.
"""

import json
import pathlib
import unittest

from field import THREAD, FieldCase, complaint

CASES = pathlib.Path(__file__).parents[1] / "DiagnosisTests" / "Explanation" / "Cases"
ENDING = ".case.json"
HEALTHY = "nothing is wrong"


class CaseRow(FieldCase):
    def explain(self, evidence):
        return json.loads(self.succeed("explain", evidence, "--offline", "-o", "json"))


def row(name, case):
    evidence = next(file for file in CASES.glob(f"{name}.*") if not file.name.endswith(ENDING))
    finding = case.get("finding")

    def test(self):
        explanation = self.explain(evidence)
        failures = [found for found in explanation["findings"] if found["verdict"] == "failed"]
        if case["cause"] == HEALTHY:
            self.assertEqual(failures, [])
        elif finding:
            self.assertEqual(explanation["cause"], finding)
        else:
            self.assertTrue(failures)

    if case["cause"] == HEALTHY:
        does = "Nothing is said to have failed"
    elif not case["provable"]:
        does = "The evidence leaves several causes open, and Keyturn doesn't decide"
    else:
        does = f"Named first: {finding or case['fact']}"
    return complaint(case["thread"], case["cause"], does)(test)


for file in sorted(CASES.glob(f"*{ENDING}")):
    found = json.loads(file.read_text())
    if THREAD.fullmatch(found["thread"]):
        label = file.name.removesuffix(ENDING)
        setattr(CaseRow, f"test_{label.replace('-', '_')}", row(label, found))


if __name__ == "__main__":
    unittest.main()
