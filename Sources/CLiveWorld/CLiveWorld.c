#include "CLiveWorld.h"

#include <stddef.h>

// Defined in Swift by the module MSAL (Sources/MSAL/LiveWorld.swift). Weak, so that programs without that module link.
void *keyturn_make_live_world(void) __attribute__((weak));

void *keyturn_live_world(void) { return keyturn_make_live_world ? keyturn_make_live_world() : NULL; }
