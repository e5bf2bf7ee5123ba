/** The interfaces of the requests and responses of a lab over HTTP, and where they are. */

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

export const apiSources: readonly string[] = [
  "src/lab/sign_in/hands_free.ts",
  "src/lab/browser/authorization_result.ts",
  "src/lab/browser/user_actions.ts",
  "src/lab/control/clock_operations.ts",
  "src/lab/control/registered_clients.ts",
  "src/lab/control/rule_operations.ts",
  "src/lab/control/sign_in_operations.ts",
  "src/lab/control/tenant_operations.ts",
  "src/lab/core/remarks.ts",
  "src/lab/findings/finding.ts",
  "src/lab/findings/verdict.ts",
  "src/lab/core/tenant_config.ts",
  "src/lab/tokens/mint.ts",
  "src/lab/util/user_choices.ts",
  "src/lab/tokens/mint_code.ts",
  "src/lab/tokens/mint_options.ts",
  "src/lab/recording/recorded_request.ts",
  "src/lab/recording/refusal.ts",
  "src/lab/recording/timeline.ts",
  "src/lab/recording/tenant_client.ts",
  "src/lab/tokens/value_form.ts",
  "src/server/issuer/tokens/issue_tokens.ts",
  "src/server/model/access_token.ts",
  "src/server/protocol/oauth_error.ts",
  "src/server/issuer/tokens/refresh_tokens.ts",
];
