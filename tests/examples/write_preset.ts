/**
 * Writes a preset of a provider from its metadata (OpenID Connect Discovery, RFC 8414), for
 * `hallpass lab --provider acme.json`. It runs on Node 24, Deno and Bun:
 *
 *     node write_preset.ts https://id.acme.example acme.json
 *     node write_preset.ts metadata.json acme.json
 *
 * Metadata does not show lifetimes, claims, errors or pages: add what you know as another fact.
 */
import { readFile, writeFile } from "node:fs/promises";
import process from "node:process";

/** Endpoints that a lab can have at any path, by the member of metadata that names them. */
const endpointNames: Record<string, string> = {
  authorization_endpoint: "authorize",
  token_endpoint: "token",
  jwks_uri: "jwks",
  userinfo_endpoint: "userinfo",
  end_session_endpoint: "logout",
  introspection_endpoint: "introspect",
  revocation_endpoint: "revoke",
  device_authorization_endpoint: "deviceAuthorization",
};

/** What no specification knows may be a secret that was published by mistake. */
const knownMembers =
  /_(?:endpoint|supported)$|^(?:issuer|jwks_uri|service_documentation|op_policy_uri|op_tos_uri)$/;
const algorithms = ["RS256", "ES256", "PS256", "EdDSA"];

type Metadata = Record<string, unknown>;

/** Returns the preset of a provider whose metadata was at `url` on a day. */
export function presetOf(document: Metadata, url: string, date: string) {
  const settings = {
    issuer: issuerSettings(document),
    paths: pathSettings(document),
    metadata: { dialect: { ownMetadata: false, documents: [documentAt(pathOf(url), document)] } },
    offer: offerSettings(document),
    // Without this member, authorization responses have no iss (RFC 9207, section 3).
    no_iss: document.authorization_response_iss_parameter_supported === true
      ? {}
      : { dialect: { authorizationResponse: { unset: ["iss"] } } },
    wire: { errorUri: false },
  };
  const facts = Object.entries(settings)
    .map(([id, plays]) => [id, { from: ["metadata"], says: `Metadata decides the ${id}.`, plays }]);
  return {
    preset: 1,
    name: "acme",
    title: new URL(String(document.issuer)).host,
    sources: { metadata: [url, date] },
    facts: Object.fromEntries(facts),
    stricter: ["The lab checks requests as it always does."],
    missing: Object.entries(document).filter(([name, value]) => !isPlayed(name, value))
      .map(([name]) => `The member ${name} of the metadata.`),
  };
}

/** A placeholder in the issuer, as in `/{tenantid}/v2.0`, is a segment that the lab fills. */
function issuerSettings(document: Metadata) {
  const path = pathOf(document.issuer);
  const issuerPath = path.replace(/\{([a-z]+)\}/, ":$1");
  if (path === "") return {};
  return { dialect: { issuerPath, ...issuerPath !== path && { tenant: "tenant" } } };
}

/** Endpoints are below the issuer, or else at another path of the lab. */
function pathSettings(document: Metadata) {
  const issuerPath = pathOf(document.issuer).replace(/\/$/, "");
  const paths: Record<string, string> = {};
  const aliases: Array<{ path: string; to: string }> = [];
  for (const [member, to] of Object.entries(endpointNames)) {
    const path = pathOf(document[member]);
    const below = path.startsWith(`${issuerPath}/`) ? path.slice(issuerPath.length) : "";
    const isFree = isPlain(below) && !Object.values(paths).includes(below);
    if (isFree) paths[to] = below;
    else if (isPlain(path)) aliases.push({ path, to });
  }
  return { paths, dialect: { aliases } };
}

/** Returns the document with addresses of the lab: no client may be led to another host. */
function documentAt(path: string, document: Metadata) {
  const body = Object.entries(document).filter(([name, value]) => isPlayed(name, value))
    .map(([name, value]) => [name, isText(value) ? withLabAddress(value) : value]);
  // The issuer of a lab may end in a path of its own; one with a placeholder stays as it is written.
  const hasPlaceholder = String(document.issuer).includes("{");
  const issuer = hasPlaceholder ? withLabAddress(String(document.issuer)) : "{issuer}";
  return { path, body: { ...Object.fromEntries(body), issuer } };
}

function isPlayed(name: string, value: unknown): boolean {
  return typeof value === "boolean" || (knownMembers.test(name) && [value].flat().every(isText));
}

function offerSettings(document: Metadata) {
  const scopes = textsIn(document.scopes_supported).map((scope) => [scope, scope]);
  const listed = textsIn(document.id_token_signing_alg_values_supported);
  const idTokenAlgs = algorithms.filter((alg) => listed.includes(alg));
  return {
    ...scopes.length > 0 && { scopes: Object.fromEntries(scopes) },
    ...idTokenAlgs.length > 0 && { idTokenAlgs },
  };
}

function withLabAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? `{base}${pathOf(text)}` : text;
}

/** Returns the path as it is written: a placeholder in it stays. */
function pathOf(url: unknown): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(String(url))?.[1] ?? "";
}

const isPlain = (path: string) => /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)+\/?$/.test(path);
const isText = (value: unknown) => typeof value === "string";
const textsIn = (value: unknown) => Array.isArray(value) ? value.filter(isText) : [];

async function readMetadata(from: string): Promise<string> {
  if (!from.includes("://")) return await readFile(from, "utf8");
  if (!from.startsWith("https://")) throw new Error(`${from} must begin with https://.`);
  // A redirect could lead to a document of somebody else.
  const response = await fetch(from, { redirect: "error" });
  if (!response.ok) throw new Error(`${from} responds with status ${response.status}.`);
  return await response.text();
}

const [from, file = "acme.json"] = process.argv.slice(2);
if (import.meta.main && from !== undefined) {
  const wellKnown = "/.well-known/openid-configuration";
  const url = from.includes("://") ? from.replace(/\/$/, "") + wellKnown : from;
  const document = JSON.parse(await readMetadata(url));
  const published = `${String(document.issuer).replace(/\/$/, "")}${wellKnown}`;
  const today = new Date().toISOString().slice(0, 10);
  const preset = presetOf(document, published, today);
  await writeFile(file, `${JSON.stringify(preset, null, 2)}\n`, { flag: "wx" });
  console.log([`Wrote ${file}. Not played:`, ...preset.missing].join("\n  "));
}
