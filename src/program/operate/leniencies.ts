import { type AddressMember, addressMembers } from "../../server/config/addresses.ts";
import { defaultRefreshGrace } from "../../server/config/make_client.ts";
import { stricterDefaults } from "../../server/config/profiles/profile.ts";
import type { Settings } from "../../server/config/settings.ts";
import type { Resource } from "../../server/model/access_token.ts";
import type { Client } from "../../server/model/client.ts";
import { ofWorkloads } from "../features/assertions/operate.ts";
import { ofLogout } from "../features/logout/operate.ts";
import { ofRegistration } from "../features/registration/operate.ts";
import type { Leniency, LeniencySwitch } from "./leniency.ts";

const ofFeatures: ReadonlyArray<(settings: Settings) => LeniencySwitch[]> = [
  ofRegistration,
  ofWorkloads,
  ofLogout,
];

export function findLeniencies(settings: Settings, clients: readonly Client[]): Leniency[] {
  const resources = settings.resources === "any" ? [] : settings.resources.only;
  const switches = [
    ...addressMembers.map((member) => ofAddress(settings, member)),
    ...ofServer(settings),
    ...resources.map((each) => ofTokenType(`resource ${each.uri}: accessTokenType`, each)),
    ...ofProfile(settings),
    ...ofFeatures.flatMap((switchesOf) => switchesOf(settings)),
  ];
  const ofClients = clients.flatMap((client) => clientLeniencies(settings, client));
  return [...switchedOn(switches), ...ofClients];
}

export function clientLeniencies(settings: Settings, client: Client): Leniency[] {
  return switchedOn(ofClient(settings, client));
}

function switchedOn(switches: readonly LeniencySwitch[]): Leniency[] {
  return switches.filter(({ isOn }) => isOn).map(({ isOn: _, ...leniency }) => leniency);
}

/** A URL that is the issuer's is not listed twice. */
function ofAddress(settings: Settings, member: AddressMember): LeniencySwitch {
  const address = settings[member];
  const isListed = member === "issuer" || address !== settings.issuer;
  return {
    setting: member,
    isOn: isListed && address.startsWith("http:"),
    effect: "uses http",
    see: "RFC 9700, section 2.6",
  };
}

function ofServer(settings: Settings): LeniencySwitch[] {
  const { profile, hardened, pkce, insecure, refreshReuseGrace = 0, hints } = settings;
  const isStricterByDefault = stricterDefaults(profile, { hardened }).pkce === "required";
  return [
    ofTokenType("accessTokenType", settings),
    {
      setting: "insecure.httpRedirectUris",
      isOn: insecure.httpRedirectUris,
      effect: "sends codes over http",
      see: "OAuth 2.1, section 7.11",
    },
    {
      setting: "insecure.privateFetches",
      isOn: insecure.privateFetches,
      effect: "lets untrusted clients probe this network",
      see: "RFC 7591, section 5",
    },
    {
      setting: "pkce",
      isOn: pkce === "optional",
      effect: "may be left out by clients that authenticate",
      see: "OAuth 2.1, section 7.5.1",
    },
    {
      setting: "pkce",
      isOn: pkce === "or-nonce" && isStricterByDefault,
      effect: "may be left out by clients that authenticate and check their nonce",
      see: "RFC 9700, section 2.1.1",
    },
    {
      setting: "refreshReuseGrace",
      isOn: refreshReuseGrace > 0,
      effect: `accepts a used refresh token for another ${refreshReuseGrace} seconds`,
      see: "OAuth 2.1, section 4.3.1",
    },
    {
      setting: "hints",
      isOn: hints,
      effect: "reveals more in errors than an attacker should know",
      see: "OAuth 2.1, section 3.2.4",
    },
  ];
}

function ofTokenType(
  setting: string,
  { accessTokenType }: Pick<Resource, "accessTokenType">,
): LeniencySwitch {
  return {
    setting,
    isOn: accessTokenType === "JWT",
    effect: "is JWT, a type that access tokens share with other JWTs",
    see: "RFC 9068, section 2.1",
  };
}

/** Lists the leniencies that a profile grants to clients that are not configured. */
function ofProfile(
  { profile: { name, untrustedClient, registeredScope } }: Settings,
): LeniencySwitch[] {
  return [
    {
      setting: `profile ${name}: redirectUriAtToken`,
      isOn: untrustedClient.redirectUriAtToken === "if-present",
      effect: "need not be repeated by clients that are not configured",
      see: "OAuth 2.1, section 10.2",
    },
    {
      setting: `profile ${name}: scope of a registration`,
      isOn: registeredScope === "default",
      effect: "is the default of the client, not its limit",
      see: "RFC 7591, section 2",
    },
  ];
}

function ofClient(server: Settings, client: Client): LeniencySwitch[] {
  const { id, pkce, refreshReuseGrace = 0, redirectUriAtToken } = client;
  const { assertionAudience, introspect } = client;
  const name = (member: keyof Client) => `client ${id}: ${member}`;
  return [
    {
      setting: name("trusted"),
      isOn: client.trusted && client.registration !== undefined,
      effect: "is true, although the client registered itself",
      see: "RFC 9700, section 4.11.2",
    },
    {
      setting: name("pkce"),
      isOn: pkce === "optional" && server.pkce !== "optional",
      effect: "may be left out",
      see: "OAuth 2.1, section 7.5.1",
    },
    {
      setting: name("pkce"),
      isOn: pkce === "or-nonce" && server.pkce === "required",
      effect: "may be left out where the client checks its nonce",
      see: "RFC 9700, section 2.1.1",
    },
    {
      setting: name("consent"),
      isOn: client.consent === "skip",
      effect: "is skipped: users are not asked",
      see: "OpenID Connect Core, section 3.1.2.4",
    },
    {
      setting: name("refreshReuseGrace"),
      isOn: refreshReuseGrace > defaultRefreshGrace(client),
      effect: `accepts a used refresh token for another ${refreshReuseGrace} seconds`,
      see: "OAuth 2.1, section 4.3.1",
    },
    {
      setting: name("redirectUriAtToken"),
      isOn: redirectUriAtToken === "if-present",
      effect: "need not be repeated",
      see: "OAuth 2.1, section 10.2",
    },
    {
      setting: name("assertionAudience"),
      isOn: assertionAudience === "token-endpoint",
      effect: "may be the token endpoint",
      see: "RFC 10070, section 4",
    },
    ofTokenType(name("accessTokenType"), client),
    {
      setting: name("introspect"),
      isOn: introspect === "any",
      effect: "shows the client every token",
      see: "RFC 7662, section 4",
    },
  ];
}
