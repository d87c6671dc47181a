#pragma once
#include <stddef.h>

/// The files of `Resources/` in the program itself, so that it runs without installation. SwiftPM rejects an
/// `Info.plist` as a resource, and a resource bundle would tie the binary to a path.
typedef struct {
    const unsigned char *bytes;
    size_t count;
} keyturn_resource;

keyturn_resource keyturn_resource_info_plist(void);
keyturn_resource keyturn_resource_claims(void);
keyturn_resource keyturn_resource_errors(void);
keyturn_resource keyturn_resource_causes(void);
keyturn_resource keyturn_resource_findings(void);
keyturn_resource keyturn_resource_copy(void);
keyturn_resource keyturn_resource_commands(void);
keyturn_resource keyturn_resource_scenarios(void);
keyturn_resource keyturn_resource_parameters(void);
keyturn_resource keyturn_resource_microsoft_apis(void);
keyturn_resource keyturn_resource_authority_errors(void);
keyturn_resource keyturn_resource_faults(void);
keyturn_resource keyturn_resource_authority_style(void);
keyturn_resource keyturn_resource_handout_style(void);
keyturn_resource keyturn_resource_handout_script(void);
keyturn_resource keyturn_resource_url_handler(void);
keyturn_resource keyturn_resource_bash_completion(void);
keyturn_resource keyturn_resource_zsh_completion(void);
keyturn_resource keyturn_resource_fish_completion(void);
