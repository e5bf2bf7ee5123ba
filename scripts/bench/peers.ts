import { cp, mkdir } from "node:fs/promises";
import { findFreePort } from "../../tests/support/free_port.ts";
import { succeed } from "../child.ts";
import { commandOn } from "../trials/process.ts";
import { startSubject, type Subject, type SubjectKind } from "./subject.ts";
import { ownPaths, type Paths } from "./workloads.ts";

/** Another server, as one of the files in `peers/` sets it up. */
interface Peer extends Omit<SubjectKind, "whose"> {
  file: string;
  args?: readonly string[];
}

const folder = ".build/bench/peers";
const packages = ["oidc-provider@9", "oauth2-mock-server@9", "@node-oauth/oauth2-server@5"];

const discovery = "/.well-known/openid-configuration";
const providerPaths: Paths = {
  authorize: "/auth",
  token: "/token",
  introspect: "/token/introspection",
  userinfo: "/me",
  discovery,
  jwks: "/jwks",
};

const peers: readonly Peer[] = [
  {
    name: "oidc-provider",
    file: "oidc_provider.mjs",
    args: ["jwt"],
    paths: providerPaths,
    // Its tokens for an API are not for userinfo, and it introspects no JWT.
    without: ["userinfo", "introspect", "opaque flow"],
    hasSessions: true,
  },
  {
    name: "oidc-provider, opaque",
    file: "oidc_provider.mjs",
    args: ["opaque"],
    paths: providerPaths,
    without: ["opaque flow"],
    hasSessions: true,
  },
  {
    name: "oauth2-mock-server",
    file: "oauth2_mock_server.mjs",
    paths: {
      authorize: "/authorize",
      token: "/token",
      introspect: "/introspect",
      userinfo: "/userinfo",
      discovery,
      jwks: "/jwks",
    },
    without: ["opaque flow"],
    hasSessions: false,
  },
  {
    name: "node-oauth2-server",
    file: "oauth2_server.mjs",
    paths: { ...ownPaths, authorize: "/authorize", token: "/token" },
    without: ["flow", "introspect", "userinfo", "discovery", "jwks"],
    hasSessions: false,
  },
];

/** Fetches other servers from the npm registry, and starts them. */
export async function startPeers(alg: string): Promise<Subject[]> {
  await mkdir(folder, { recursive: true });
  await cp("scripts/bench/peers", folder, { recursive: true });
  const install = ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", ...packages];
  await succeed(install);
  const started = [];
  for (const peer of peers) {
    const command = await commandOn("node", `${folder}/${peer.file}`);
    const args = [`${await findFreePort()}`, alg, ...peer.args ?? []];
    started.push(await startSubject({ whose: "theirs", ...peer }, [...command, ...args]));
  }
  return started;
}
