/** The interfaces of the requests and responses of a lab over HTTP. */

/** Interfaces of bodies that the interface over HTTP checks, because the lab itself does not. */
export const apiBodies: readonly string[] = [
  "AuthorizeCall",
  "SignInCall",
  "SignOutCall",
  "ClockCall",
];

/** All others: bodies that the lab checks, and responses. */
export const apiInterfaces: readonly string[] = [
  "MintOptions",
  "MintedTokens",
  "MintCodeOptions",
  "MintedCode",
  "AuthorizationResult",
  "SignOutResult",
  "HandsFreeState",
  "LabTime",
  "RecordedRequest",
  "FlowTrace",
  "TenantDescription",
  "OtherClient",
  "ListedRule",
  "UserConfig",
  "ClientConfig",
];
