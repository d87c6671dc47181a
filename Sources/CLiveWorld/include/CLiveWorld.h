#ifndef CLIVEWORLD_H
#define CLIVEWORLD_H

/// The live world of the module MSAL, an object that the caller owns; null in a program that has not linked that module.
void *_Nullable keyturn_live_world(void);

#endif
