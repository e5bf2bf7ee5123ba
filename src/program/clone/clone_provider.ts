import {
  type PresetFile,
  type PresetFileFact,
  providerNames,
} from "../../lab/lab_server/preset_file.ts";
import { findInMetadata } from "./metadata_facts.ts";
import type { ReadMetadata } from "./provider_metadata.ts";

/** The second-level domains below which companies are. */
const sharedDomains: readonly string[] = ["co", "com", "net", "org", "gov", "ac"];

const stricter = ["The lab checks requests as it always does, except where a fact above is laxer."];

/** How the notes begin on what is not known. */
export const notKnown = "Not known: ";

/** What metadata does not show about a provider, and what a lab does there. */
const unknownNotes: readonly string[] = [
  "The form and the lifetime of access tokens: here, they are JWTs for an hour.",
  "The claims of ID tokens and userinfo, and their types: here, those of the scopes.",
  "The form of sub: here, the name of the user or a configured one.",
  "Whether clients with a secret need PKCE: here, they do.",
  "The status of redirects, 302 or 303, and more parameters of the response.",
  "Whether a refresh returns another refresh token: here, it does.",
  "Which responses have a refresh token, and how long it lasts.",
  "Errors: their names, texts and statuses.",
  "Pages, consent, prompts, and who may sign in.",
  "APIs beyond userinfo.",
].map((note) => notKnown + note);

/** Makes a preset of what a provider publishes. By default, the host decides its name. */
export function cloneProvider(metadata: ReadMetadata, name?: string): PresetFile {
  const { host } = new URL(metadata.document.issuer);
  const { source, from, facts, missing } = findInMetadata(metadata);
  const found = facts.map(({ id, says, plays, ...marks }): [string, PresetFileFact] => [
    id,
    { from: [source], says, plays: { ...plays }, ...marks },
  ]);
  return {
    preset: 1,
    name: name ?? presetNameFor(host),
    title: host,
    sources: { [source]: from },
    facts: Object.fromEntries(found),
    stricter,
    missing: [...missing, ...unknownNotes],
  };
}

/** Returns the name of a preset for a provider at a host: `acme` for `login.acme.example`. */
function presetNameFor(host: string): string {
  const labels = host.toLowerCase().replace(/:\d+$/, "").split(".");
  const isNumber = /^[\d.[\]:]+$/.test(host);
  const at = labels.length > 2 && sharedDomains.includes(labels.at(-2) ?? "") ? -3 : -2;
  const label = isNumber ? "provider" : labels.at(at) ?? labels[0] ?? "";
  const name = label.replace(/[^a-z0-9-]/g, "").replace(/^[^a-z]+/, "").slice(0, 24) || "provider";
  return providerNames.some((each) => each === name) ? `${name}-clone` : name;
}
