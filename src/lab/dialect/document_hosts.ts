import { isObject } from "../../server/util/text/json.ts";
import type { DialectHost } from "./place_settings.ts";
import { playedOrigin } from "./played_hosts.ts";

/** Returns a document whose URLs name the hosts they have at the provider, if its issuer does. */
export function withPlayedHosts(
  document: unknown,
  base: string,
  hosts: readonly DialectHost[],
): unknown {
  if (base !== playedOrigin({ hosts: [...hosts] })) return document;
  const hostsOfUrls = new Map(
    hosts.flatMap(({ name, paths = [] }) =>
      paths.map((path) => [base + path, `https://${name}${path}`] as const)
    ),
  );
  return mapTexts(document, (text) => hostsOfUrls.get(text) ?? text);
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]),
  );
}
