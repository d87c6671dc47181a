#include "cresources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char info_plist[] = {
#embed "../../Resources/Info.plist"
};

static const unsigned char claims[] = {
#embed "../../Resources/claims.json"
};

static const unsigned char errors[] = {
#embed "../../Resources/errors.json"
};

static const unsigned char causes[] = {
#embed "../../Resources/causes.json"
};

static const unsigned char findings[] = {
#embed "../../Resources/findings.json"
};

static const unsigned char copy[] = {
#embed "../../Resources/copy.json"
};

static const unsigned char commands[] = {
#embed "../../Resources/commands.json"
};

static const unsigned char scenarios[] = {
#embed "../../Resources/scenarios.json"
};

static const unsigned char parameters[] = {
#embed "../../Resources/parameters.json"
};

static const unsigned char authority_errors[] = {
#embed "../../Resources/authority/errors.json"
};

static const unsigned char faults[] = {
#embed "../../Resources/authority/faults.json"
};

static const unsigned char authority_style[] = {
#embed "../../Resources/authority/style.css"
};

static const unsigned char handout_style[] = {
#embed "../../Resources/handout/style.css"
};

static const unsigned char handout_script[] = {
#embed "../../Resources/handout/play.js"
};

static const unsigned char url_handler[] = {
#embed "../../Resources/url-handler.desktop"
};

static const unsigned char bash_completion[] = {
#embed "../../Resources/completions/keyturn.bash"
};

static const unsigned char zsh_completion[] = {
#embed "../../Resources/completions/_keyturn"
};

static const unsigned char fish_completion[] = {
#embed "../../Resources/completions/keyturn.fish"
};

#define RETURN(file) \
    keyturn_resource keyturn_resource_##file(void) { return (keyturn_resource){file, sizeof file}; }

RETURN(info_plist)
RETURN(claims)
RETURN(errors)
RETURN(causes)
RETURN(findings)
RETURN(copy)
RETURN(commands)
RETURN(scenarios)
RETURN(parameters)
RETURN(authority_errors)
RETURN(faults)
RETURN(authority_style)
RETURN(handout_style)
RETURN(handout_script)
RETURN(url_handler)
RETURN(bash_completion)
RETURN(zsh_completion)
RETURN(fish_completion)
