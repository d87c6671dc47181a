#ifndef CLIVEWORLD_H
#define CLIVEWORLD_H

/// Returns the live world of the module MSAL, owned by the caller, or null in a program without that module.
void *_Nullable keyturn_live_world(void);

#endif
