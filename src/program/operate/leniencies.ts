import { type AddressMember, addressMembers } from "../../server/config/addresses.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { Resource } from "../../server/model/access_token.ts";
import type { Client } from "../../server/model/client.ts";
import { ofRegistration } from "../features/registration/operate.ts";
import type { Leniency, LeniencySwitch } from "./leniency.ts";

/** The leniencies of features. */
const ofFeatures: ReadonlyArray<(settings: Settings) => LeniencySwitch[]> = [
  ofRegistration,
];

/** Finds every leniency that is switched on. */
export function findLeniencies(settings: Settings, clients: readonly Client[]): Leniency[] {
  const switches = [
    ...addressMembers.map((member) => ofAddress(settings, member)),
    ...ofServer(settings),
    ...ofResources(settings),
    ...ofProfile(settings),
    ...ofFeatures.flatMap((switchesOf) => switchesOf(settings)),
  ];
  return [...switchedOn(switches), ...clients.flatMap(clientLeniencies)];
}

/** Finds every leniency of a client that is switched on. */
export function clientLeniencies(client: Client): Leniency[] {
  return switchedOn(ofClient(client));
}

function switchedOn(switches: readonly LeniencySwitch[]): Leniency[] {
  return switches
    .filter(([, isOn]) => isOn)
    .map(([what, , means, see]) => ({ what, means, see }));
}

/** A URL that is the issuer's is not listed twice. */
function ofAddress(settings: Settings, member: AddressMember): LeniencySwitch {
  const address = settings[member];
  const isListed = member === "issuer" || address !== settings.issuer;
  const usesHttp = isListed && address.startsWith("http:");
  return [member, usesHttp, "uses http", "RFC 9700, section 2.6"];
}

function ofServer(settings: Settings): LeniencySwitch[] {
  const { httpRedirectUris, privateFetches, refreshReuseGrace, hints } = settings;
  return [
    ofTokenType("accessTokenType", settings),
    [
      "insecure.httpRedirectUris",
      httpRedirectUris,
      "sends codes over http",
      "OAuth 2.1, section 7.11",
    ],
    [
      "insecure.privateFetches",
      privateFetches,
      "lets untrusted clients probe this network",
      "RFC 7591, section 5",
    ],
    [
      "refreshReuseGrace",
      refreshReuseGrace > 0,
      `accepts a used refresh token for another ${refreshReuseGrace} seconds`,
      "OAuth 2.1, section 4.3.1",
    ],
    [
      "hints",
      hints,
      "reveals more in errors than an attacker should know",
      "OAuth 2.1, section 3.2.4",
    ],
  ];
}

function ofResources({ resources }: Settings): LeniencySwitch[] {
  const listed = resources === "any" ? [] : resources.only;
  return listed.map((each) => ofTokenType(`resource ${each.uri}: accessTokenType`, each));
}

function ofTokenType(
  what: string,
  { accessTokenType }: Pick<Resource, "accessTokenType">,
): LeniencySwitch {
  const means = "is JWT, a type that access tokens share with other JWTs";
  return [what, accessTokenType === "JWT", means, "RFC 9068, section 2.1"];
}

/** Lists the leniencies that a profile grants to clients that are not configured. */
function ofProfile(
  { profile: { name, untrustedClient, registeredScope } }: Settings,
): LeniencySwitch[] {
  return [
    [
      `profile ${name}: redirectUriAtToken`,
      untrustedClient.redirectUriAtToken === "if-present",
      "need not be repeated by clients that are not configured",
      "OAuth 2.1, section 10.2",
    ],
    [
      `profile ${name}: scope of a registration`,
      registeredScope === "default",
      "is the default of the client, not its limit",
      "RFC 7591, section 2",
    ],
  ];
}

function ofClient(client: Client): LeniencySwitch[] {
  const { id, pkce, redirectUriAtToken, assertionAudience, introspect } = client;
  const name = (member: keyof Client) => `client ${id}: ${member}`;
  return [
    [
      name("trusted"),
      client.trusted && client.registration !== undefined,
      "is true, although the client registered itself",
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
      "RFC 10070, section 4",
    ],
    ofTokenType(name("accessTokenType"), client),
    [
      name("introspect"),
      introspect === "any",
      "shows the client every token",
      "RFC 7662, section 4",
    ],
  ];
}
