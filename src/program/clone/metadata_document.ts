import { isReference, namesOtherHost } from "../../lab/preset_files/host_problems.ts";
import { isObject } from "../../server/util/text/json.ts";
import { isAddress, pathOf, type ProviderMetadata } from "../metadata/provider_metadata.ts";

const maxTextLength = 2_000;

/** A document as a lab publishes it, and the members that it leaves out. */
export interface DocumentTemplate {
  body: Record<string, unknown>;
  leftOut: string[];
}

/** Returns metadata with the address of the lab in place of every host. */
export function documentTemplate(document: ProviderMetadata): DocumentTemplate {
  const leftOut: string[] = [];
  const entries = Object.entries(document).flatMap(([name, value]) => {
    const template = templateOf(value, document.issuer, name);
    if (template === undefined) leftOut.push(name);
    return template === undefined ? [] : [[name, template] as const];
  });
  return { body: Object.fromEntries(entries), leftOut };
}

/** Returns undefined for what a preset cannot hold. */
function templateOf(value: unknown, issuer: string, name: string): unknown {
  if (typeof value === "string") return isReference(name) ? textTemplate(value, issuer) : value;
  if (Array.isArray(value)) {
    return value.map((each) => templateOf(each, issuer, isObject(each) ? name : `${name}[]`))
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
