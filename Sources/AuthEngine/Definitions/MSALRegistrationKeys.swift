// The keys of ``MSALWPJMetaData/extraDeviceInformation`` (MSAL for iOS and macOS, `MSALWPJMetaData.h`).

public let MSAL_PRIMARY_REGISTRATION_UPN: String! = "primary_registration_metadata_upn"
public let MSAL_PRIMARY_REGISTRATION_DEVICE_ID: String! = "primary_registration_metadata_device_id"
public let MSAL_PRIMARY_REGISTRATION_TENANT_ID: String! = "primary_registration_metadata_tenant_id"
public let MSAL_PRIMARY_REGISTRATION_CLOUD: String! = "primary_registration_metadata_cloud_host"
public let MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT: String! =
    "primary_registration_metadata_certificate_thumbprint"
