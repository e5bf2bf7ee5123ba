import type { Client } from "../protocol/client.ts";
import type { Settings } from "./settings.ts";

/** A switch that makes the server less strict than it would be by itself. */
export interface Leniency {
  /** Where it stands: "refreshReuseGrace", "client web: pkce". */
  what: string;
  means: string;
  /** The section that speaks of it. */
  see: string;
}

/** Every leniency that is switched on. */
export function findLeniencies(settings: Settings, clients: readonly Client[]): Leniency[] {
  return [...ofServer(settings), ...clients.flatMap(ofClient)];
}

function ofServer({ issuer, httpRedirectUris, privateFetches, refreshReuseGrace, hints }: Settings): Leniency[] {
  return [
    ...issuer.startsWith("http:") ? [{ what: "issuer", means: "uses http", see: "RFC 9700, section 2.6" }] : [],
    ...httpRedirectUris ? [{ what: "insecure.httpRedirectUris", means: "codes may travel over http", see: "OAuth 2.1, section 7.11" }] : [],
    ...privateFetches
      ? [{ what: "insecure.privateFetches", means: "strangers can have this network looked into", see: "RFC 7591, section 5" }]
      : [],
    ...refreshReuseGrace > 0
      ? [{
        what: "refreshReuseGrace",
        means: `a spent refresh token works for ${refreshReuseGrace} seconds more`,
        see: "OAuth 2.1, section 4.3.1",
      }]
      : [],
    ...hints ? [{ what: "hints", means: "refusals say more than a stranger should know", see: "OAuth 2.1, section 3.2.4" }] : [],
  ];
}

function ofClient({ id, pkce, redirectUriAtToken, assertionAudience, introspect }: Client): Leniency[] {
  const all: Array<[member: string, isOn: boolean, means: string, see: string]> = [
    ["pkce", pkce === "optional", "may leave PKCE out", "OAuth 2.1, section 7.5.1"],
    ["redirectUriAtToken", redirectUriAtToken === "if-present", "need not repeat the redirect_uri", "OAuth 2.1, section 10.2"],
    [
      "assertionAudience",
      assertionAudience === "token-endpoint",
      "addresses its assertions to the token endpoint",
      "RFC 7523bis, section 4",
    ],
    ["introspect", introspect === "any", "is shown everybody's tokens", "RFC 7662, section 4"],
  ];
  return all.filter(([, isOn]) => isOn).map(([member, , means, see]) => ({ what: `client ${id}: ${member}`, means, see }));
}
