import { isReference, namesOtherHost } from "../../lab/providers/host_problems.ts";
import { isObject } from "../../server/util/text/json.ts";
import { isAddress, pathOf, type ProviderMetadata } from "./provider_metadata.ts";

const maxTextLength = 2_000;

/** A document as a lab publishes it, and the members that it leaves out. */
export interface DocumentTemplate {
  body: Record<string, unknown>;
  leftOut: string[];
}

/** The members that the endings below do not cover: those of the specifications, and of Entra. */
const known: readonly string[] = [
  ...["issuer", "jwks_uri", "service_documentation", "op_policy_uri", "op_tos_uri"],
  ...["check_session_iframe", "mtls_endpoint_aliases", "protected_resources"],
  ...["cloud_instance_name", "cloud_graph_host_name", "msgraph_host", "rbac_url"],
];

/** Endings of members that have nothing but addresses, or lists and whether there is something. */
const endings = /_(?:endpoint|supported)$/;

/**
 * Returns metadata with the address of the lab in place of every host. What no specification knows
 * may be a secret that was published by mistake, so only a boolean of it is taken over.
 */
export function documentTemplate(document: ProviderMetadata): DocumentTemplate {
  const leftOut: string[] = [];
  const entries = Object.entries(document).flatMap(([name, value]) => {
    const isTaken = isFlag(value) || (isMember(name) && hasKnownForm(name, value));
    const template = isTaken ? templateOf(value, document.issuer, name) : undefined;
    if (template === undefined) leftOut.push(name);
    return template === undefined ? [] : [[name, template] as const];
  });
  return { body: Object.fromEntries(entries), leftOut };
}

function isMember(name: string): boolean {
  return known.includes(name) || endings.test(name);
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean" || value === null;
}

function hasKnownForm(name: string, value: unknown): boolean {
  if (isObject(value)) {
    return name === "mtls_endpoint_aliases" &&
      Object.entries(value).every(([member, each]) => isMember(member) && typeof each === "string");
  }
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return name.endsWith("_supported") ? isList : isList || typeof value === "string";
}

/** Returns undefined for what a preset cannot hold. */
function templateOf(value: unknown, issuer: string, name: string): unknown {
  if (typeof value === "string") return isReference(name) ? textTemplate(value, issuer) : value;
  if (Array.isArray(value)) {
    return value.map((each) => templateOf(each, issuer, `${name}[]`))
      .filter((each) => each !== undefined);
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value)
    .map(([member, each]) => [member, templateOf(each, issuer, member)]);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined));
}

function textTemplate(text: string, issuer: string): string | undefined {
  if (text.length > maxTextLength) return undefined;
  if (text === issuer && !text.includes("{")) return "{issuer}";
  const template = isAddress(text) ? `{base}${pathOf(text)}` : text;
  return namesOtherHost(template) ? undefined : template;
}
