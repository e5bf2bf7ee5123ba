import { importJWK, SignJWT } from "jose";
import { demoClients } from "../../../src/lab/demo/demo_clients.ts";
import { demoKey, demoPublicKey } from "../../../src/lab/demo/demo_keys.ts";
import { features } from "../../../src/lab/features.ts";
import type { Lab } from "../../../src/lab/lab.ts";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { additionsOf } from "../../../src/lab/lab_server/create_server.ts";
import type { ClientConfig } from "../../../src/server/features.ts";
import { featureFixtures } from "../../features.ts";
import { makeProof, type ProofChanges, proofKey } from "../dpop.ts";
import { basic, type Kit, openLabKit } from "../kit.ts";
import { inSettings, type Play, type PlayedRow } from "../refusals.ts";
import { hasFeature } from "../where_feature.ts";

/** A lab with a client of every kind that a rule is about. */
export type RuleLab = Kit & { lab: Lab };

/** What breaks each rule, in the order in which the endpoint applies them. */
export type BrokenRules = Readonly<Record<string, PlayedRow<RuleLab>>>;

/** Returns the row of a rule that only a client breaks which the lab does not know. */
export function ofUnknownClient(rule: string, play: Play<RuleLab>): BrokenRules {
  return hasFeature("any_client") ? { [rule]: { settings: { anyClient: true }, play } } : {};
}

/** The rows of a file. */
export interface RuleRows {
  /** The path of the file, from `tests/support/broken_rules/`. */
  file: string;
  rows: BrokenRules;
  /** Requests that succeed. */
  successes?: BrokenRules;
}

const issuer = "https://hallpass.test";
const redirectUris = [`${issuer}/authorized`];
export const api = "https://api.example";
const jwks = { keys: [demoPublicKey] };

const clients: ClientConfig[] = [
  ...demoClients({ issuer }, additionsOf(features)),
  { id: "other-spa", redirectUris },
  { id: "https://client.example/app", redirectUris },
  { id: "no-default", redirectUris, defaultScope: [] },
  { id: "no-code", redirectUris, secret: "s", grantTypes: ["client_credentials"] },
  { id: "no-details", redirectUris, authorizationDetailsTypes: [] },
  ...featureFixtures.flatMap((each) => each.otherClients ?? []),
  { id: "bound", redirectUris, dpop: "required" },
  { id: "signing", redirectUris, jwks, requireSignedRequest: true },
  { id: "for-board", redirectUris, groups: ["board"] },
  { id: "without-pkce", redirectUris, secret: "s", pkce: "optional" },
];

/** Opens the lab. */
function openRuleLab(settings: Partial<LabConfig> = {}): RuleLab {
  return openLabKit({ clients, seed: "rules", ...settings });
}

/** Returns the header of a client whose secret is "s". */
export function as(id: string): Record<string, string> {
  return basic(id, "s");
}

/** Returns a DPoP proof for a POST, with a test's changes. */
export async function proofIn(
  kit: RuleLab,
  changes: ProofChanges = {},
  path = "/oauth2/token",
): Promise<string> {
  const now = kit.clock.now;
  return await makeProof(await proofKey(), "POST", kit.issuer + path, { now, ...changes });
}

/** Signs claims with the key of demo-jwt, demo-web and signing. */
export async function signed(claims: object, typ?: string): Promise<string> {
  const header = { alg: "ES256", ...typ !== undefined && { typ } };
  return await new SignJWT({ ...claims }).setProtectedHeader(header)
    .sign(await importJWK(demoKey, "ES256"));
}

/** What a row is played with. */
interface PlayOptions {
  settings?: Partial<LabConfig>;
  /** Where requests go that the row sends to the token or the authorization endpoint. */
  endpoint?: string;
}

/** Plays in a lab of its own, which the caller closes. */
export async function playInLab(
  row: PlayedRow<RuleLab>,
  { settings, endpoint }: PlayOptions = {},
): Promise<RuleLab & AsyncDisposable> {
  const { play, settings: own } = inSettings(row);
  const kit = openRuleLab({ ...settings, ...own });
  await play(endpoint === undefined ? kit : movedTo(kit, endpoint));
  return { ...kit, [Symbol.asyncDispose]: () => kit.lab[Symbol.asyncDispose]() };
}

function movedTo(kit: RuleLab, endpoint: string): RuleLab {
  const { post, sendForm } = kit;
  return {
    ...kit,
    token: (fields, headers) => sendForm(endpoint, fields, headers),
    ask: (changes) =>
      post(endpoint, Object.fromEntries(new URL(kit.authorizationUrl(changes)).searchParams)),
  };
}
