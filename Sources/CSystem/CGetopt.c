#define _GNU_SOURCE
#include "CGetopt.h"

void keyturn_getopt_begin(void) {
    opterr = 0;
    // 0 resets glibc even within a cluster of short options.
    optind = 0;
}

keyturn_getopt_step keyturn_getopt_next(
    int argc, char *const argv[], const char *short_options, const struct option *long_options) {
    optarg = 0;
    int value = getopt_long(argc, argv, short_options, long_options, 0);
    return (keyturn_getopt_step){.value = value, .argument = optarg, .mistaken = optopt, .next = optind};
}
