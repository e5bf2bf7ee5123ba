import { profileOf } from "../../server/config/profiles/profiles.ts";
import { type Config, createFullServer, grantTypes } from "../../server/features.ts";
import type { Envelope } from "../../server/issuer/active_features.ts";
import type { ServerHooks } from "../../server/issuer/server_hooks.ts";
import { cibaGrantType } from "../../server/protocol/grant_types.ts";
import type { InternalServer, ServerWrapper } from "../../server/server.ts";
import { isLoopbackName } from "../../server/util/addresses/uri.ts";
import { megabyte } from "../../server/util/values/bounded_map.ts";
import type { DemoAdditions } from "../demo/demo_clients.ts";
import { demoDetails, demoScopes } from "../demo/demo_scopes.ts";
import {
  labAcrValues,
  oneClickOrPassword,
  oneClickSignIn,
  publicPasswords,
  withChosenDetails,
} from "../sign_in/one_click.ts";
import type { UnknownUsers } from "../sign_in/unknown_users.ts";
import { makeTestKey } from "../tokens/test_keys.ts";
import { type LabKeys, labKeysOf } from "./lab_keys.ts";
import { callbackPaths } from "./started_flow.ts";

/** The hooks of the server of a lab, what its sign-in page asks, and what encrypts. */
export interface LabHooks extends ServerHooks {
  /** Encrypts what clients get; without it, the server does. */
  readonly envelope?: Envelope | undefined;
  /** What makes unknown users known; without it, the lab refuses them. */
  readonly unknownUsers?: UnknownUsers | undefined;
}

/** The line at the top of every page of a lab. */
const labNotice = "Test only: anyone who can reach this lab can sign in as anyone.";

/** The paths that the lab serves itself, besides those of its server. */
const frontPaths: readonly string[] = ["/start", ...callbackPaths];

/** What a feature of the lab brings to the server of each. */
export interface ServerDefaults {
  /** Fills in the server's settings of the feature, where the configuration has none. */
  serverSettings?(config: Config): Config;
  /** What it adds to the demo clients. */
  readonly demo?: DemoAdditions;
}

/**
 * Creates the server of a lab: strict, and with everything that a test needs. The shape of its
 * configuration was checked.
 */
export function createShapedServer(
  given: Config,
  features: readonly ServerDefaults[],
  { unknownUsers, ...hooks }: LabHooks,
): InternalServer {
  const config = features.reduce<Config>(
    (filled, feature) => feature.serverSettings?.(filled) ?? filled,
    given,
  );
  const { issuer, frontChannelUrl = issuer, notice = labNotice } = config;
  const keys = labKeysOf(config);
  const server = createFullServer(
    {
      ...labDefaults(config),
      ...algorithmsOf(keys),
      ...config,
      signingKeys: keys.signingKeys,
      notice,
      insecure: {
        httpIssuer: true,
        httpRedirectUris: [issuer, frontChannelUrl].some(isExternalHttp),
        ...config.insecure,
      },
      policies: {
        passwords: publicPasswords,
        makeKey: makeTestKey,
        ...config.policies,
        authenticate: withChosenDetails(
          config.policies?.authenticate ?? oneClickOrPassword(unknownUsers),
          () => server.context,
        ),
      },
      pages: {
        signIn: oneClickSignIn(() => server.context.settings, unknownUsers),
        ...config.pages,
      },
    },
    {
      ...wrapperFor(config),
      ...hooks,
      idTokenAlg: keys.algs[0],
      publishedKeys: keys.publishedKeys,
    },
  );
  return server;
}

export function additionsOf(features: readonly ServerDefaults[]): DemoAdditions[] {
  return features.flatMap(({ demo = [] }) => demo);
}

/** Containers often have no https between them: the owner of a lab decides for each client. */
function wrapperFor({ insecure }: Config): ServerWrapper {
  return {
    reservedPaths: frontPaths,
    httpClients: insecure?.httpRedirectUris !== false,
    openGrants: ["client_credentials", cibaGrantType],
  };
}

/** The settings of a lab where its configuration has none. */
function labDefaults(config: Config): Partial<Config> {
  return {
    scopes: demoScopes,
    idTokenClaims: "by-scope",
    // A lab finds applications that use a refresh token twice, or misspell a scope.
    refreshReuseGrace: 0,
    unknownScopes: "refuse",
    resources: "any",
    authorizationDetails: demoDetails,
    grantTypes: [...grantTypes],
    documentsPerMinute: Infinity,
    // Some thousand sign-ins that wait for their users. Any web page can begin sign-ins.
    storedBytesPerMinute: 8 * megabyte,
    hints: true,
    idTokenAlgs: [...profileOf(config.profile).algs],
    acrValues: [...labAcrValues],
    // A test that moves the clock by months does not want to rotate the keys.
    keyRotation: "never",
  };
}

/** A lab with keys of its owner publishes exactly these, so it makes none for other algorithms. */
function algorithmsOf({ algs }: LabKeys): Partial<Config> {
  const [alg] = algs;
  return alg === undefined ? {} : { alg, idTokenAlgs: algs };
}

/** In a network of containers, neither the lab nor its clients have https. */
function isExternalHttp(address: string): boolean {
  return address.startsWith("http:") && URL.canParse(address) &&
    !isLoopbackName(new URL(address).hostname);
}
