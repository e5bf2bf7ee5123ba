import { type Exchange, parameterOf, type WireRequest } from "../../recording/exchange.ts";
import { refusalOf } from "../../recording/refusal.ts";

/** The name of a credential that works once: a parameter, or the header `dpop`. */
export type OneTimeName =
  | "code"
  | "refresh_token"
  | "device_code"
  | "request_uri"
  | "client_assertion"
  | "assertion"
  | "dpop";

/** The rules that pass when a credential is used, the one that refuses a second use first. */
const rulesOfUse: Readonly<Record<OneTimeName, readonly [second: string, ...ended: string[]]>> = {
  code: ["code.unused", "code.active"],
  refresh_token: ["refresh_token.unused", "refresh_token.active"],
  device_code: ["device_code.unused", "device_code.active"],
  request_uri: ["request_uri.usable"],
  client_assertion: ["client.authenticated"],
  assertion: ["assertion.unused", "assertion.valid"],
  dpop: ["dpop.unused"],
};

/** The names of all of them, in the order in which they are made anew. */
export const oneTimeNames: readonly OneTimeName[] = Object.keys(rulesOfUse) as OneTimeName[];

/** What refusals and pages call each of them. */
const titles: Readonly<Record<OneTimeName, string>> = {
  code: "code",
  refresh_token: "refresh token",
  device_code: "device code",
  request_uri: "request_uri",
  client_assertion: "client assertion",
  assertion: "assertion",
  dpop: "DPoP proof",
};

/** A credential of a request that works once. */
export interface SpendableCredential {
  /** The parameter, or the header `dpop`. */
  name: OneTimeName;
  /** The first request that used it, if that is recorded. */
  usedIn?: number | undefined;
}

/** Returns what a one-time credential is called. */
export function titleOfOneTime(name: OneTimeName): string {
  return titles[name];
}

/** Returns the value of a one-time credential in a request. */
export function oneTimeValue(request: WireRequest, name: OneTimeName): string | undefined {
  if (name === "dpop") return request.headers.dpop;
  if (name === "code" && request.endpoint !== "token") return undefined;
  return parameterOf(request, name);
}

/** Returns the one-time credentials of a request, with the recorded request that used each. */
export function oneTimeCredentialsOf(
  request: WireRequest,
  recorded: readonly Exchange[],
): SpendableCredential[] {
  return oneTimeNames.flatMap((name) => {
    const value = oneTimeValue(request, name);
    if (value === undefined) return [];
    const presenting = recorded.filter((each) => oneTimeValue(each.request, name) === value);
    const first = name === "request_uri"
      ? completionOf(presenting, recorded)
      : presenting.find((each) => isUse(each, name));
    return [{ name, ...first && { usedIn: first.id } }];
  });
}

/** Whether the server accepted the credential, and with that used it up. */
function isUse({ rules }: Exchange, name: OneTimeName): boolean {
  const [second] = rulesOfUse[name];
  return rules.some(({ rule, passed }) => rule.id === second && passed);
}

/** A pushed request is used when its user is done; until then, it loads as often as the page. */
function completionOf(
  presenting: readonly Exchange[],
  recorded: readonly Exchange[],
): Exchange | undefined {
  const pushed = presenting.map(({ concerns }) => concerns.pushedRequest).filter(Boolean);
  return recorded.find(({ events, concerns }) =>
    events.some(({ type }) => type === "code.issued") && pushed.includes(concerns.pushedRequest)
  );
}

/** Returns the one-time credential that a request was refused for, because it was used before. */
export function spentCredential(
  exchange: Exchange,
  recorded: readonly Exchange[],
): SpendableCredential | undefined {
  const { rule } = refusalOf(exchange) ?? {};
  if (rule === undefined) return undefined;
  const earlier = recorded.filter(({ id }) => id < exchange.id);
  return oneTimeCredentialsOf(exchange.request, earlier).find(({ name, usedIn }) =>
    usedIn !== undefined && rulesOfUse[name].includes(rule)
  );
}
