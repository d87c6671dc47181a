#pragma once
#include <getopt.h>

/// What one step of `getopt_long` found. It keeps that in variables of the process, which Swift may not touch.
typedef struct {
    /// The option's value, `'?'` or `':'` for a mistake, -1 at the end.
    int value;
    /// The argument, or NULL.
    const char *argument;
    /// The option that a mistake is about, when it is one of the table.
    int mistaken;
    /// The next element of `argv`.
    int next;
} keyturn_getopt_step;

/// Begins with a new argument vector. Messages are the caller's.
void keyturn_getopt_begin(void);

/// One step of `getopt_long`.
keyturn_getopt_step keyturn_getopt_next(
    int argc, char *const argv[], const char *short_options, const struct option *long_options);
