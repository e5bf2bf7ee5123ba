import type { Client } from "../model/client.ts";
import { addressMembers } from "./addresses.ts";
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

/** One switch: what it is called, whether it is on, and what it says and where. */
type LeniencySwitch = [what: string, isOn: boolean, means: string, see: string];

function ofServer(settings: Settings): Leniency[] {
  const { httpRedirectUris, privateFetches, refreshReuseGrace, hints } = settings;
  const grace = `lets a spent refresh token work for ${refreshReuseGrace} seconds more`;
  return switchedOn([
    ...addressMembers.map((
      member,
    ): LeniencySwitch => [
      member,
      usesHttp(settings, member),
      "uses http",
      "RFC 9700, section 2.6",
    ]),
    [
      "insecure.httpRedirectUris",
      httpRedirectUris,
      "lets codes travel over http",
      "OAuth 2.1, section 7.11",
    ],
    [
      "insecure.privateFetches",
      privateFetches,
      "lets strangers have this network looked into",
      "RFC 7591, section 5",
    ],
    ["refreshReuseGrace", refreshReuseGrace > 0, grace, "OAuth 2.1, section 4.3.1"],
    ...ofRegistration(settings),
    [
      "hints",
      hints,
      "tells more in refusals than a stranger should know",
      "OAuth 2.1, section 3.2.4",
    ],
  ]);
}

/** What a client gains that registers with an initial access token. */
function ofRegistration(
  { allowances: { trusted, pkce, assertionAudience } }: Settings,
): LeniencySwitch[] {
  return [
    [
      "registration.trusted",
      trusted,
      "treats clients that registered as configured ones",
      "RFC 9700, section 4.11.2",
    ],
    [
      "registration.pkce",
      pkce === "optional",
      "lets clients that registered leave PKCE out",
      "OAuth 2.1, section 7.5.1",
    ],
    [
      "registration.assertionAudience",
      assertionAudience === "token-endpoint",
      "may be the token endpoint",
      "RFC 7523bis, section 4",
    ],
  ];
}

/** A channel that is the issuer's is not told twice. */
function usesHttp(settings: Settings, member: (typeof addressMembers)[number]): boolean {
  const address = settings[member];
  return address.startsWith("http:") && (member === "issuer" || address !== settings.issuer);
}

function ofClient(
  { id, pkce, redirectUriAtToken, assertionAudience, introspect, trusted, registration }: Client,
): Leniency[] {
  const name = (member: string) => `client ${id}: ${member}`;
  return switchedOn([
    [
      name("trusted"),
      trusted && registration !== undefined,
      "is true, though it registered itself",
      "RFC 9700, section 4.11.2",
    ],
    [name("pkce"), pkce === "optional", "may be left out", "OAuth 2.1, section 7.5.1"],
    [
      name("redirectUriAtToken"),
      redirectUriAtToken === "if-present",
      "need not be repeated",
      "OAuth 2.1, section 10.2",
    ],
    [
      name("assertionAudience"),
      assertionAudience === "token-endpoint",
      "may be the token endpoint",
      "RFC 7523bis, section 4",
    ],
    [
      name("introspect"),
      introspect === "any",
      "shows it everybody's tokens",
      "RFC 7662, section 4",
    ],
  ]);
}

function switchedOn(all: readonly LeniencySwitch[]): Leniency[] {
  return all.filter(([, isOn]) => isOn).map(([what, , means, see]) => ({ what, means, see }));
}
