#pragma once
#include <getopt.h>

/// The result of one step of `getopt_long`, which uses global variables that Swift can't access.
typedef struct {
    /// The option's value, `'?'` or `':'` for an error, -1 at the end.
    int value;
    /// The argument, or NULL.
    const char *argument;
    /// The option that an error is about, if it is in the table.
    int mistaken;
    /// The index of the next element of `argv`.
    int next;
} keyturn_getopt_step;

/// Starts with a new argument vector. The caller prints the messages.
void keyturn_getopt_begin(void);

/// Performs one step of `getopt_long`.
keyturn_getopt_step keyturn_getopt_next(
    int argc, char *const argv[], const char *short_options, const struct option *long_options);
