#define _GNU_SOURCE
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <curl/curl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../CSystem/loading/loading.h"
#include "Buffer.h"

#undef curl_easy_setopt
#undef curl_easy_getinfo

// The library

#define FUNCTIONS(each)          \
    each(curl_global_init)       \
    each(curl_easy_init)         \
    each(curl_easy_reset)        \
    each(curl_easy_setopt)       \
    each(curl_easy_getinfo)      \
    each(curl_easy_cleanup)      \
    each(curl_easy_strerror)     \
    each(curl_multi_init)        \
    each(curl_multi_add_handle)  \
    each(curl_multi_remove_handle) \
    each(curl_multi_perform)     \
    each(curl_multi_poll)        \
    each(curl_multi_wakeup)      \
    each(curl_multi_info_read)   \
    each(curl_multi_cleanup)     \
    each(curl_slist_append)      \
    each(curl_slist_free_all)

static struct { FUNCTIONS(LOADED) } library;

// A function of OpenSSL, which libcurl loads. Declared here to avoid OpenSSL's types.
static void (*set_key_log)(void *context, void (*callback)(const void *, const char *));
static int writes_key_log;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
    LOAD("libcurl.so.4", NULL, "")
    // libcurl reads this variable once, at its start. Removing it here would race with other threads.
    writes_key_log = getenv("SSLKEYLOGFILE") != NULL;
    set_key_log = (__typeof__(set_key_log))dlsym(handle, "SSL_CTX_set_keylog_callback");
    if (writes_key_log && set_key_log == NULL) {
        strncpy(problem, "it would write TLS keys to a file; unset SSLKEYLOGFILE", sizeof problem - 1);
    }
    if (problem[0] == 0 && library.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        strncpy(problem, "libcurl.so.4 failed to start", sizeof problem - 1);
    }
}

const char *keyturn_curl_library_problem(void) {
    pthread_once(&loading, load);
    return problem[0] == 0 ? NULL : problem;
}

// Exchanges

struct keyturn_curl {
    CURL *easy;
    CURLM *multi;
    atomic_int is_cancelled;
    atomic_int is_withdrawn;
    // Used by the thread of the exchange only.
    int is_sent;
    struct curl_slist *request_headers;
    buffer headers;
    size_t header_ends[KEYTURN_CURL_HEADER_LINES];
    size_t header_count;
    buffer body;
    buffer request_body;
    size_t body_limit;
    int body_too_large;
    keyturn_curl_sink sink;
    void *sink_context;
    int sink_failed;
    int announces_head;
    keyturn_curl_source source;
    void *source_context;
    keyturn_curl_guard guard;
    int is_rejected;
    int headers_too_large, has_switched;
    int ends_at_headers, has_headers;
    char error[CURL_ERROR_SIZE];
};

static size_t header_came(char *bytes, size_t size, size_t count, void *context) {
    keyturn_curl *curl = context;
    size_t length = size * count;
    size_t text = length;
    while (text > 0 && (bytes[text - 1] == '\r' || bytes[text - 1] == '\n')) text -= 1;
    if (text >= 5 && memcmp(bytes, "HTTP/", 5) == 0) {
        // A status line: the fields before it belong to an interim response (RFC 9110 section 15.2).
        curl->headers.length = 0;
        curl->header_count = 0;
        return length;
    }
    if (text == 0) {
        // Another protocol would follow, without an end. Nothing asks for one.
        if ((curl->has_switched = keyturn_curl_status(curl) == 101)) return 0;
        // An interim response isn't the last one (RFC 9110 section 15.2).
        // Trailers, which follow the body, end with an empty line too.
        if (curl->announces_head && keyturn_curl_status(curl) >= 200) {
            curl->announces_head = 0;
            if ((curl->sink_failed = curl->sink(curl->sink_context, NULL, 0) < 0)) return 0;
        }
        if (!curl->ends_at_headers || keyturn_curl_status(curl) < 200) return length;
        curl->has_headers = 1;
        return 0;
    }
    if (curl->header_count == KEYTURN_CURL_HEADER_LINES || curl->headers.length + text > KEYTURN_CURL_HEADER_BYTES) {
        curl->headers_too_large = 1;
        return 0;
    }
    if (!append(&curl->headers, bytes, text)) return 0;
    curl->header_ends[curl->header_count] = curl->headers.length;
    curl->header_count += 1;
    return length;
}

static size_t body_came(char *bytes, size_t size, size_t count, void *context) {
    keyturn_curl *curl = context;
    size_t length = size * count;
    if (curl->sink != NULL) {
        int32_t taken = curl->sink(curl->sink_context, (const uint8_t *)bytes, length);
        if (taken < 0) curl->sink_failed = 1;
        if (taken != 0) return taken < 0 ? 0 : length;
    }
    if (length > curl->body_limit - curl->body.length) {
        curl->body_too_large = 1;
        return 0;
    }
    return append(&curl->body, bytes, length) ? length : 0;
}

static size_t body_goes(char *bytes, size_t size, size_t count, void *context) {
    keyturn_curl *curl = context;
    int64_t given = curl->source(curl->source_context, (uint8_t *)bytes, size * count);
    return given < 0 ? CURL_READFUNC_ABORT : (size_t)given;
}

keyturn_curl *keyturn_curl_new(void) {
    if (keyturn_curl_library_problem() != NULL) return NULL;
    keyturn_curl *curl = calloc(1, sizeof *curl);
    if (curl == NULL) return NULL;
    curl->easy = library.curl_easy_init();
    curl->multi = library.curl_multi_init();
    if (curl->easy != NULL && curl->multi != NULL) return curl;
    keyturn_curl_free(curl);
    return NULL;
}

void keyturn_curl_free(keyturn_curl *curl) {
    if (curl->easy != NULL) library.curl_easy_cleanup(curl->easy);
    if (curl->multi != NULL) library.curl_multi_cleanup(curl->multi);
    library.curl_slist_free_all(curl->request_headers);
    buffer *buffers[] = {&curl->headers, &curl->body, &curl->request_body};
    for (size_t index = 0; index < sizeof buffers / sizeof *buffers; index++) {
        empty(buffers[index]);
        free(buffers[index]->bytes);
    }
    free(curl);
}

static int before_sending(void *context, char *server, char *own, int server_port, int own_port) {
    (void)own;
    keyturn_curl *curl = context;
    if (atomic_load(&curl->is_withdrawn)) return CURL_PREREQFUNC_ABORT;
    if (curl->guard == NULL || curl->guard(server, server_port, own_port)) {
        curl->is_sent = 1;
        return CURL_PREREQFUNC_OK;
    }
    curl->is_rejected = 1;
    return CURL_PREREQFUNC_ABORT;
}

static CURLcode write_no_keys(CURL *easy, void *context, void *unused) {
    (void)easy;
    (void)unused;
    set_key_log(context, NULL);
    return CURLE_OK;
}

#define SET(option, value) (library.curl_easy_setopt(curl->easy, option, value) == CURLE_OK)

void keyturn_curl_forget(keyturn_curl *curl) {
    library.curl_easy_reset(curl->easy);
    library.curl_slist_free_all(curl->request_headers);
    curl->request_headers = NULL;
    empty(&curl->headers);
    curl->header_count = 0;
    empty(&curl->body);
    empty(&curl->request_body);
}

int32_t keyturn_curl_begin(
    keyturn_curl *curl, const char *method, const char *url, const char *agent, const char *proxy, int32_t is_loopback) {
    keyturn_curl_forget(curl);
    curl->body_too_large = 0;
    curl->sink = NULL;
    curl->sink_failed = 0;
    curl->announces_head = 0;
    curl->guard = NULL;
    curl->is_rejected = curl->is_sent = 0;
    curl->headers_too_large = curl->has_switched = 0;
    curl->ends_at_headers = curl->has_headers = 0;
    curl->error[0] = 0;
    int is_get = strcmp(method, "GET") == 0, is_head = strcmp(method, "HEAD") == 0;
    return SET(CURLOPT_URL, url)
        && SET(CURLOPT_USERAGENT, agent)
        && SET(CURLOPT_PROTOCOLS_STR, is_loopback ? "http,https" : "https")
        && SET(CURLOPT_PROXY, proxy) && SET(CURLOPT_NOPROXY, "")
        && SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L)
        && SET(CURLOPT_FOLLOWLOCATION, 0L)
        && SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2)
        && SET(CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2)
        && (!writes_key_log || SET(CURLOPT_SSL_CTX_FUNCTION, write_no_keys))
        && SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L)
        && SET(CURLOPT_NOSIGNAL, 1L)
        && SET(CURLOPT_PREREQFUNCTION, before_sending) && SET(CURLOPT_PREREQDATA, curl)
        && SET(CURLOPT_ERRORBUFFER, curl->error)
        && SET(CURLOPT_HEADERFUNCTION, header_came) && SET(CURLOPT_HEADERDATA, curl)
        && SET(CURLOPT_WRITEFUNCTION, body_came) && SET(CURLOPT_WRITEDATA, curl)
        && (is_get || (is_head ? SET(CURLOPT_NOBODY, 1L) : SET(CURLOPT_CUSTOMREQUEST, method)));
}

int32_t keyturn_curl_add_header(keyturn_curl *curl, const char *line) {
    struct curl_slist *longer = library.curl_slist_append(curl->request_headers, line);
    if (longer == NULL) return 0;
    curl->request_headers = longer;
    return SET(CURLOPT_HTTPHEADER, longer);
}

int32_t keyturn_curl_set_body(keyturn_curl *curl, const uint8_t *bytes, size_t length) {
    // A copy that can be erased, unlike libcurl's.
    static const char nothing[] = "";
    if (length > 0 && !append(&curl->request_body, (const char *)bytes, length)) return 0;
    return SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)length)
        // libcurl would call nothing a form.
        && (length > 0 || keyturn_curl_add_header(curl, "Content-Type:"))
        && SET(CURLOPT_POSTFIELDS, length > 0 ? (const char *)curl->request_body.bytes : nothing);
}

int32_t keyturn_curl_set_source(
    keyturn_curl *curl, const char *method, int64_t length, keyturn_curl_source source, void *context) {
    curl->source = source;
    curl->source_context = context;
    return SET(CURLOPT_UPLOAD, 1L) && SET(CURLOPT_CUSTOMREQUEST, method)
        && SET(CURLOPT_INFILESIZE_LARGE, (curl_off_t)length)
        && SET(CURLOPT_READFUNCTION, body_goes) && SET(CURLOPT_READDATA, curl)
        // Waiting for the server's consent would delay small bodies.
        && keyturn_curl_add_header(curl, "Expect:");
}

int32_t keyturn_curl_set_authorities(keyturn_curl *curl, const char *pem_file) {
    // The folder that distributions build into libcurl would add the system's.
    return SET(CURLOPT_CAINFO, pem_file) && SET(CURLOPT_CAPATH, NULL);
}

int32_t keyturn_curl_set_authority_folders(keyturn_curl *curl, const char *folders, int32_t replaces_file) {
    return SET(CURLOPT_CAPATH, folders) && (!replaces_file || SET(CURLOPT_CAINFO, NULL));
}

int32_t keyturn_curl_use_new_connection(keyturn_curl *curl) { return SET(CURLOPT_FRESH_CONNECT, 1L); }

void keyturn_curl_end_at_headers(keyturn_curl *curl) { curl->ends_at_headers = 1; }

void keyturn_curl_set_guard(keyturn_curl *curl, keyturn_curl_guard guard) { curl->guard = guard; }

void keyturn_curl_announce_head(keyturn_curl *curl) { curl->announces_head = 1; }

void keyturn_curl_set_sink(keyturn_curl *curl, keyturn_curl_sink sink, void *context) {
    curl->sink = sink;
    curl->sink_context = context;
}

int32_t keyturn_curl_set_limits(
    keyturn_curl *curl, uint32_t connect_milliseconds, uint32_t total_milliseconds, size_t body_bytes) {
    curl->body_limit = body_bytes;
    return SET(CURLOPT_CONNECTTIMEOUT_MS, (long)connect_milliseconds)
        && SET(CURLOPT_TIMEOUT_MS, (long)total_milliseconds);
}

int32_t keyturn_curl_set_idle_limit(keyturn_curl *curl, uint32_t seconds) {
    return SET(CURLOPT_LOW_SPEED_LIMIT, 1L) && SET(CURLOPT_LOW_SPEED_TIME, (long)seconds);
}

static int has_ended(keyturn_curl *curl) {
    return atomic_load(&curl->is_cancelled) || (atomic_load(&curl->is_withdrawn) && !curl->is_sent);
}

int32_t keyturn_curl_perform(keyturn_curl *curl) {
    // The multi interface, because another thread can wake only its poll.
    if (library.curl_multi_add_handle(curl->multi, curl->easy) != CURLM_OK) return CURLE_FAILED_INIT;
    int32_t result = CURLE_FAILED_INIT;
    int running = 1;
    while (!has_ended(curl) && running > 0) {
        if (library.curl_multi_perform(curl->multi, &running) != CURLM_OK) break;
        if (running > 0 && library.curl_multi_poll(curl->multi, NULL, 0, 60000, NULL) != CURLM_OK) break;
    }
    int left = 0;
    for (CURLMsg *message; (message = library.curl_multi_info_read(curl->multi, &left)) != NULL;) {
        if (message->msg == CURLMSG_DONE) result = (int32_t)message->data.result;
    }
    // A cancelled transfer may still be resolving a name, for which only freeing it waits.
    if (has_ended(curl)) return KEYTURN_CURL_CANCELLED;
    library.curl_multi_remove_handle(curl->multi, curl->easy);
    if (curl->has_headers) return CURLE_OK;
    if (curl->sink_failed) return KEYTURN_CURL_SINK_FAILED;
    if (curl->is_rejected) return KEYTURN_CURL_REJECTED_SERVER;
    if (curl->has_switched) return KEYTURN_CURL_SWITCHED;
    if (curl->headers_too_large) return KEYTURN_CURL_HEADERS_TOO_LARGE;
    return curl->body_too_large ? KEYTURN_CURL_BODY_TOO_LARGE : result;
}

void keyturn_curl_cancel(keyturn_curl *curl) {
    atomic_store(&curl->is_cancelled, 1);
    library.curl_multi_wakeup(curl->multi);
}

void keyturn_curl_withdraw(keyturn_curl *curl) {
    atomic_store(&curl->is_withdrawn, 1);
    library.curl_multi_wakeup(curl->multi);
}

// Responses

int32_t keyturn_curl_status(const keyturn_curl *curl) {
    long status = 0;
    library.curl_easy_getinfo(curl->easy, CURLINFO_RESPONSE_CODE, &status);
    return (int32_t)status;
}

const char *keyturn_curl_http_version(const keyturn_curl *curl) {
    long version = 0;
    library.curl_easy_getinfo(curl->easy, CURLINFO_HTTP_VERSION, &version);
    switch (version) {
    case CURL_HTTP_VERSION_1_0: return "1.0";
    case CURL_HTTP_VERSION_2_0: return "2";
    case CURL_HTTP_VERSION_3: return "3";
    default: return "1.1";
    }
}

size_t keyturn_curl_header_count(const keyturn_curl *curl) { return curl->header_count; }

const uint8_t *keyturn_curl_header(const keyturn_curl *curl, size_t index, size_t *length) {
    size_t start = index == 0 ? 0 : curl->header_ends[index - 1];
    *length = curl->header_ends[index] - start;
    return curl->headers.bytes + start;
}

const uint8_t *keyturn_curl_body(const keyturn_curl *curl, size_t *length) {
    *length = curl->body.length;
    return curl->body.bytes;
}

int32_t keyturn_curl_os_error(const keyturn_curl *curl) {
    long number = 0;
    library.curl_easy_getinfo(curl->easy, CURLINFO_OS_ERRNO, &number);
    return (int32_t)number;
}

int32_t keyturn_curl_connect_status(const keyturn_curl *curl) {
    long status = 0, connections = 0;
    library.curl_easy_getinfo(curl->easy, CURLINFO_HTTP_CONNECTCODE, &status);
    library.curl_easy_getinfo(curl->easy, CURLINFO_NUM_CONNECTS, &connections);
    return connections == 0 ? 200 : (int32_t)status;
}

const char *keyturn_curl_authorities(const keyturn_curl *curl) {
    char *file = NULL;
    return library.curl_easy_getinfo(curl->easy, CURLINFO_CAINFO, &file) == CURLE_OK ? file : NULL;
}

int32_t keyturn_curl_proxy_needs_ticket(const keyturn_curl *curl) {
    long methods = 0;
    library.curl_easy_getinfo(curl->easy, CURLINFO_PROXYAUTH_AVAIL, &methods);
    return methods != 0 && (methods & ~(long)(CURLAUTH_NEGOTIATE | CURLAUTH_NTLM)) == 0;
}

const char *keyturn_curl_error(const keyturn_curl *curl, int32_t code) {
    if (curl->error[0] != 0) return curl->error;
    return library.curl_easy_strerror((CURLcode)code);
}
