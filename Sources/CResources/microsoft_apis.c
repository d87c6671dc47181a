// On its own, so that programs that use only the library link no other resource.
#include "cresources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char microsoft_apis[] = {
#embed "../../Resources/microsoft-apis.json"
};

keyturn_resource keyturn_resource_microsoft_apis(void) {
    return (keyturn_resource){microsoft_apis, sizeof microsoft_apis};
}
