// The keys of ``MSALWPJMetaData/extraDeviceInformation`` (MSAL for iOS and macOS, `MSALWPJMetaData.h`).

/// Who registered the device. A `String`.
public let MSAL_PRIMARY_REGISTRATION_UPN: String! = "primary_registration_metadata_upn"
/// The device in its directory. A `String`.
public let MSAL_PRIMARY_REGISTRATION_DEVICE_ID: String! = "primary_registration_metadata_device_id"
/// The tenant it is registered with. A `String`.
public let MSAL_PRIMARY_REGISTRATION_TENANT_ID: String! = "primary_registration_metadata_tenant_id"
/// The host of that tenant's cloud. A `String`.
public let MSAL_PRIMARY_REGISTRATION_CLOUD: String! = "primary_registration_metadata_cloud_host"
/// Of the certificate that the device proves itself with. A `String`.
public let MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT: String! =
    "primary_registration_metadata_certificate_thumbprint"
