"""The resources of the processes of a long run over time."""

import dataclasses

# The first samples are of a process that still loads libraries and fills its caches.
WARM_UP = 2
# Connections kept for the next request come and go; a descriptor lost at each sign-in, or at each of the rarer
# failures, is many more.
MOST_MORE_DESCRIPTORS = 4


@dataclasses.dataclass
class Usage:
    """From the output of `soak`: one value for each sample, in order."""

    resident_kibibytes: list
    descriptors: list
    threads: list

    @classmethod
    def read(cls, lines):
        samples = [list(map(int, line.split()[1:])) for line in lines if line.startswith("usage ")]
        return cls(*map(list, zip(*samples)))

    @property
    def growth_kibibytes(self):
        """From start to end, each as the lowest of several samples: temporary increases are not leaks."""
        settled = self.resident_kibibytes[WARM_UP:]
        third = max(1, len(settled) // 3)
        return min(settled[-third:]) - min(settled[:third])

    @property
    def more_descriptors(self):
        settled = self.descriptors[WARM_UP:]
        return min(settled[-3:]) - max(settled[:3])
