#include "CProcess.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// The symbols of each library's version: a function that returns text, or functions or variables with numbers.
static const struct {
    const char *name, *file, *text, *numbers[3];
    bool has_variables;
} libraries[] = {
    {"glibc", "libc.so.6", "gnu_get_libc_version"},
    {"GLib", "libgio-2.0.so.0", NULL, {"glib_major_version", "glib_minor_version", "glib_micro_version"}, true},
    {"libcurl", "libcurl.so.4", "curl_version"},
    {"libmicrohttpd", "libmicrohttpd.so.12", "MHD_get_version"},
    {"libqrencode", "libqrencode.so.4", "QRcode_APIVersionString"},
    {"libsecret", "libsecret-1.so.0", NULL},
    {"ncurses", "libncursesw.so.6", "curses_version"},
    {"Nettle", "libnettle.so.8", NULL, {"nettle_version_major", "nettle_version_minor"}},
    {"OpenSSL", "libcrypto.so.3", NULL, {"OPENSSL_version_major", "OPENSSL_version_minor", "OPENSSL_version_patch"}},
    {"SQLite", "libsqlite3.so.0", "sqlite3_libversion"},
};

/// Copies the version from a text: 7.88.1 from "libcurl/7.88.1 OpenSSL/3.0.17".
static void copy_version(const char *text, char *version, size_t size) {
    while (*text != 0 && !isdigit((unsigned char)*text)) text++;
    size_t length = strcspn(text, " ");
    snprintf(version, size, "%.*s", (int)length, text);
}

static void read_version(size_t index, void *handle, char *version, size_t size) {
    if (libraries[index].text != NULL) {
        const char *(*text)(void) = (const char *(*)(void))dlsym(handle, libraries[index].text);
        if (text != NULL) copy_version(text(), version, size);
        return;
    }
    size_t length = 0;
    for (size_t i = 0; i < 3 && libraries[index].numbers[i] != NULL; i++) {
        void *symbol = dlsym(handle, libraries[index].numbers[i]);
        if (symbol == NULL || length >= size) return;
        unsigned number = libraries[index].has_variables ? *(unsigned *)symbol : ((unsigned (*)(void))symbol)();
        length += (size_t)snprintf(version + length, size - length, i == 0 ? "%u" : ".%u", number);
    }
}

bool keyturn_process_library(size_t index, keyturn_process_library_facts *facts) {
    if (index >= sizeof libraries / sizeof libraries[0]) return false;
    *facts = (keyturn_process_library_facts){.name = libraries[index].name, .file = libraries[index].file};
    void *handle = dlopen(facts->file, RTLD_LAZY | RTLD_LOCAL);
    facts->is_installed = handle != NULL;
    if (handle != NULL) read_version(index, handle, facts->version, sizeof facts->version);
    return true;
}

extern const char keyturn_build[] __attribute__((weak));

const char *keyturn_process_build(void) { return keyturn_build; }
