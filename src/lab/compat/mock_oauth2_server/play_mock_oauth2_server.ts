import { demoUsers } from "../../demo/demo_users.ts";
import type { AliasTarget } from "../../dialect/place_settings.ts";
import type { StandIn } from "../../handling/stand_in.ts";
import type { LabConfig } from "../../lab_server/lab_config.ts";
import { initialKeyOf, type MockOAuth2Config } from "./json_config.ts";
import { createMockIssuerResponder } from "./mock_issuer_responder.ts";
import { createMockState, type MockState } from "./mock_state.ts";

/** The user whom the server of the lab signs in; tokens are about whom the test wants. */
const anyone = "anyone";

/** The paths below an issuer, and what they are for the server. */
const endpoints: ReadonlyArray<[path: string, endpoint: AliasTarget]> = [
  ["authorize", "authorize"],
  ["token", "token"],
  ["jwks", "jwks"],
  ["userinfo", "userinfo"],
  ["introspect", "introspect"],
  ["revoke", "revoke"],
  ["endsession", "logout"],
];

/** Documents of an issuer that the server does not have. */
const documents = [
  "debugger",
  ".well-known/openid-configuration",
  ".well-known/oauth-authorization-server",
];

/** Files that the settings name, as they were read. */
export interface MockFiles {
  /** The HTML of the sign-in page. */
  loginPage?: string | undefined;
  /** The files below `/static`, by their paths. */
  assets?: ReadonlyMap<string, StaticAsset> | undefined;
}

/** A file that the lab sends. */
export interface StaticAsset {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** The settings that a play decides. */
type PlayedSettings = Pick<
  LabConfig,
  "users" | "signIn" | "anyClient" | "anyScope" | "anyGrant" | "unknownClientPkce" | "dialect"
>;

/** What plays mock-oauth2-server: the settings of a lab, and what responds in it. */
export interface MockPlay {
  /** Returns the settings of a lab with those of the play. */
  complete<C extends Partial<LabConfig>>(config: C): C & PlayedSettings;
  standIn: StandIn;
  state: MockState;
}

/** Prepares to play mock-oauth2-server: `/{issuer}/…` on first touch. */
export function playMockOAuth2Server(
  config: MockOAuth2Config,
  { loginPage, assets = new Map() }: MockFiles = {},
  isStrict: () => boolean = () => false,
): MockPlay {
  const state = createMockState(config, loginPage);
  const fixed = settingsOf(config, state);
  return {
    state,
    standIn: createMockIssuerResponder(state, isStrict),
    complete: (given) => ({
      ...fixed,
      ...given,
      ...playedSettings(given),
      routes: [...given.routes ?? [], ...routesFor(assets)],
    }),
  };
}

/** Returns what the configuration decides unless the lab has other settings. */
function settingsOf(config: MockOAuth2Config, { alg }: MockState): Partial<LabConfig> {
  const { systemTime } = config.tokenProvider ?? {};
  const instant = systemTime === undefined ? undefined : Date.parse(systemTime);
  const jwk = initialKeyOf(config);
  return {
    alg,
    redirectStatus: 302,
    errorUri: false,
    ...jwk && { signingKeys: [{ jwk }] },
    ...instant !== undefined && { now: () => instant },
  };
}

/** Returns the settings that the play decides. */
function playedSettings(given: Partial<LabConfig>) {
  return {
    users: [...given.users ?? demoUsers, { name: anyone }],
    signIn: anyone,
    anyClient: true,
    anyScope: true,
    anyGrant: { user: anyone, scopes: ["openid"] },
    unknownClientPkce: "optional",
    clientDefaults: { redirectUriAtToken: "if-present", ...given.clientDefaults },
    dialect: {
      aliases: endpoints.map(([path, to]) => ({ path: `/:issuer/${path}`, to })),
      documents: documents.map((path) => ({ path: `/:issuer/${path}`, body: {} })),
    },
  } satisfies PlayedSettings & Pick<LabConfig, "clientDefaults">;
}

function routesFor(
  assets: ReadonlyMap<string, StaticAsset>,
): NonNullable<LabConfig["routes"]> {
  return [
    {
      method: "GET",
      path: "/isalive",
      kind: "api",
      handler: async () => new Response("alive and well"),
    },
    ...[...assets].map(([path, { type, bytes }]) => ({
      method: "GET" as const,
      path: `/static/${path}`,
      kind: "api" as const,
      handler: async () => new Response(bytes, { headers: { "Content-Type": type } }),
    })),
  ];
}
