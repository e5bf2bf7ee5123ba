import { demoUsers } from "../../src/lab/demo/demo_users.ts";
import type { Lab } from "../../src/lab/lab.ts";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../src/lab/tokens/test_keys.ts";
import { type ClientConfig, type Config, features } from "../../src/server/features.ts";
import { revokeAuthorization } from "../../src/server/issuer/authorizations/authorizations.ts";
import { toMilliseconds } from "../../src/server/issuer/time.ts";
import { findActiveToken } from "../../src/server/issuer/tokens/active_tokens.ts";
import { createInternalServer, type InternalServer } from "../../src/server/server.ts";
import { nestChecked } from "./checked_layers.ts";
import { createKit, type FlowKit, kitParts, service } from "./flow_kit.ts";
import { createLabServer } from "./lab_server.ts";
import type { RequestHeaders } from "./test_client.ts";
import { hasFeature } from "./where_feature.ts";

export * from "./flow_kit.ts";

/** A server for one test, in this process, with its own clock. */
export type Kit = FlowKit<InternalServer>;

/** A test's changes to a configuration; an undefined member has the server's default. */
type Changes<Config> = { [Name in keyof Config]?: Config[Name] | undefined };

/** Returns the settings of demo-spa, with a test's changes. */
export function spa(changes: Partial<ClientConfig> = {}): ClientConfig {
  return { id: "demo-spa", redirectUris: ["https://hallpass.test/authorized"], ...changes };
}

/** Opens a lab. */
export function openKit(changes: Changes<LabConfig> = {}): Kit {
  const parts = kitParts();
  return createKit(createLabServer({ ...parts.config, ...quick(changes) }), parts);
}

/** Opens a lab with everything around its server: its own pages, its recorder and its faults. */
export function openLabKit(changes: Changes<LabConfig> = {}): Kit & { lab: Lab } {
  const parts = kitParts();
  const lab = openLab({ ...parts.config, ...quick(changes) }, { nest: nestChecked });
  return Object.assign(createKit(lab, parts), { lab });
}

/** Unless a test or a profile chooses, access tokens are signed with what takes least. */
function quick(changes: Changes<LabConfig>): LabConfig {
  return { ...changes.profile === undefined && { alg: "EdDSA" }, ...changes } as LabConfig;
}

/**
 * Opens a server as `hallpass serve` runs it, with the users of the lab and its quick keys; without
 * the feature that is named, and those that need it.
 */
export function openStrictKit(config: Partial<Config> = {}, without?: string): Kit {
  const parts = kitParts();
  const policies = { passwords: publicPasswords, makeKey: makeTestKey, ...config.policies };
  const given = { ...parts.config, users: demoUsers, ...config, policies };
  const chosen = features.filter(({ name, needs = [] }) =>
    name !== without && needs.every((each) => each.name !== without)
  );
  return createKit(createInternalServer(given, chosen), parts);
}

/** The profile of MCP without what it looks up, where the project has that. */
export const mcpProfile: Partial<Config> = {
  profile: "mcp",
  resources: ["https://api.example"],
  ...hasFeature("documents") && { clientMetadataDocuments: false },
};

/** Lets a client introspect every token, where the project has the endpoint. */
export const seesTokens: Pick<ClientConfig, "introspect"> = hasFeature("introspection")
  ? { introspect: "any" }
  : {};

/**
 * Returns whether a token is active, as the one demo client sees that may introspect all tokens;
 * without the endpoint, as the core decides it.
 */
export async function isActive(
  kit: Kit,
  token: string,
  headers: RequestHeaders = service,
): Promise<boolean> {
  if (hasFeature("introspection")) return (await kit.introspect(token, {}, headers)).body.active;
  return await findActiveToken(kit.server.context, token) !== undefined;
}

/** Revokes a token as a client does; without the endpoint, it changes the same rows. */
export async function endToken(kit: Kit, token: string, headers?: RequestHeaders): Promise<void> {
  if (hasFeature("revocation")) return void await kit.revoke(token, {}, headers);
  const { context: ctx } = kit.server;
  const found = await findActiveToken(ctx, token);
  if (found?.kind === "refresh") {
    await revokeAuthorization(ctx, found.active.authorization, "a test revoked it");
  } else if (found) {
    const { jti, exp } = found.claims;
    await ctx.records.revokedTokens.put(jti, null, toMilliseconds(exp));
  }
}
