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

static const unsigned char parameters[] = {
#embed "../../Resources/parameters.json"
};

static const unsigned char authority_style[] = {
#embed "../../Resources/authority/style.css"
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

keyturn_resource keyturn_resource_info_plist(void) {
    return (keyturn_resource){info_plist, sizeof info_plist};
}

keyturn_resource keyturn_resource_claims(void) {
    return (keyturn_resource){claims, sizeof claims};
}

keyturn_resource keyturn_resource_errors(void) {
    return (keyturn_resource){errors, sizeof errors};
}

keyturn_resource keyturn_resource_causes(void) {
    return (keyturn_resource){causes, sizeof causes};
}

keyturn_resource keyturn_resource_parameters(void) {
    return (keyturn_resource){parameters, sizeof parameters};
}

keyturn_resource keyturn_resource_authority_style(void) {
    return (keyturn_resource){authority_style, sizeof authority_style};
}

keyturn_resource keyturn_resource_url_handler(void) {
    return (keyturn_resource){url_handler, sizeof url_handler};
}

keyturn_resource keyturn_resource_bash_completion(void) {
    return (keyturn_resource){bash_completion, sizeof bash_completion};
}

keyturn_resource keyturn_resource_zsh_completion(void) {
    return (keyturn_resource){zsh_completion, sizeof zsh_completion};
}

keyturn_resource keyturn_resource_fish_completion(void) {
    return (keyturn_resource){fish_completion, sizeof fish_completion};
}
