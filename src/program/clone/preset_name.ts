import { providerNames } from "../../lab/lab_server/provider_names.ts";

/** The second-level domains below which companies are. */
const sharedDomains: readonly string[] = ["co", "com", "net", "org", "gov", "ac"];

/** Returns the name of a preset for a provider at a host: `acme` for `login.acme.example`. */
export function presetNameFor(host: string): string {
  const labels = host.toLowerCase().replace(/:\d+$/, "").split(".");
  const isNumber = /^[\d.[\]:]+$/.test(host);
  const at = labels.length > 2 && sharedDomains.includes(labels.at(-2) ?? "") ? -3 : -2;
  const label = isNumber ? "provider" : labels.at(at) ?? labels[0] ?? "";
  const name = label.replace(/[^a-z0-9-]/g, "").replace(/^[^a-z]+/, "").slice(0, 24) || "provider";
  return providerNames.some((each) => each === name) ? `${name}-clone` : name;
}
