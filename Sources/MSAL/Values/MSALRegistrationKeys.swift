// The keys of ``MSALWPJMetaData/extraDeviceInformation`` (MSAL for iOS and macOS, `MSALWPJMetaData.h`).

/// The key of the user principal name that registered the device, a `String`.
public let MSAL_PRIMARY_REGISTRATION_UPN: String! = "primary_registration_metadata_upn"
/// The key of the device's ID in its directory, a `String`.
public let MSAL_PRIMARY_REGISTRATION_DEVICE_ID: String! = "primary_registration_metadata_device_id"
/// The key of the tenant that the device is registered with, a `String`.
public let MSAL_PRIMARY_REGISTRATION_TENANT_ID: String! = "primary_registration_metadata_tenant_id"
/// The key of the host of that tenant's cloud, a `String`.
public let MSAL_PRIMARY_REGISTRATION_CLOUD: String! = "primary_registration_metadata_cloud_host"
/// The key of the thumbprint of the device certificate, a `String`.
public let MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT: String! =
    "primary_registration_metadata_certificate_thumbprint"
