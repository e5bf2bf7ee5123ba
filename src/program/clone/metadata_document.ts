import { isObject } from "../../server/util/text/json.ts";
import { isAddress, pathOf, type ProviderMetadata } from "../metadata/provider_metadata.ts";

const maxTextLength = 2_000;
/** What the address of a lab replaces, and what a provider itself may have in a URL: `{tenantid}`. */
const placeholder = /\{[a-z]+\}/g;

/** A document as a lab publishes it, and the members that it leaves out. */
export interface DocumentTemplate {
  body: Record<string, unknown>;
  leftOut: string[];
}

/** Returns metadata with the address of the lab in place of every host. */
export function documentTemplate(document: ProviderMetadata): DocumentTemplate {
  const leftOut: string[] = [];
  const entries = Object.entries(document).flatMap(([name, value]) => {
    const template = templateOf(value, document.issuer);
    if (template === undefined) leftOut.push(name);
    return template === undefined ? [] : [[name, template] as const];
  });
  return { body: Object.fromEntries(entries), leftOut };
}

/** Returns undefined for what a preset cannot hold. */
function templateOf(value: unknown, issuer: string): unknown {
  if (typeof value === "string") return textTemplate(value, issuer);
  if (Array.isArray(value)) {
    return value.map((each) => typeof each === "string" ? each : templateOf(each, issuer))
      .filter((each) => each !== undefined);
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name, templateOf(each, issuer)]);
  return Object.fromEntries(members.filter(([, each]) => each !== undefined));
}

function textTemplate(text: string, issuer: string): string | undefined {
  if (text.length > maxTextLength) return undefined;
  if (text === issuer && !text.includes("{")) return "{issuer}";
  const template = isAddress(text) ? `{base}${pathOf(text)}` : text;
  const known = template.replace(placeholder, "");
  if (/[{}\\]/.test(known)) return undefined;
  return isAddress(text) || !known.includes("//") ? template : undefined;
}
