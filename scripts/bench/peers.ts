import { cp, mkdir } from "node:fs/promises";
import { findFreePort } from "../../tests/support/free_port.ts";
import { runCommand } from "../child.ts";
import { signedIn } from "./servers.ts";
import { type Paths, startProcess, type Subject } from "./subject.ts";

/** Another server, as one of the files in `peers/` sets it up. */
interface Peer {
  name: string;
  file: string;
  args?: readonly string[];
  paths: Partial<Paths>;
  without: Subject["without"];
  /** Whether its user signs in with a browser. The others take every request for signed in. */
  hasSessions?: boolean;
}

const minute = 60_000;
const folder = ".build/bench/peers";
const packages = ["oidc-provider@9", "oauth2-mock-server@9", "@node-oauth/oauth2-server@5"];

const discovery = "/.well-known/openid-configuration";
const providerPaths = {
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
  },
  {
    name: "node-oauth2-server",
    file: "oauth2_server.mjs",
    paths: { authorize: "/authorize", token: "/token" },
    without: ["flow", "introspect", "userinfo", "discovery", "jwks"],
  },
];

/** Fetches other servers from the npm registry, and starts them. */
export async function startPeers(alg: string): Promise<Subject[]> {
  await mkdir(folder, { recursive: true });
  await cp("scripts/bench/peers", folder, { recursive: true });
  const install = ["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", ...packages];
  const { code, output } = await runCommand(install, { timeout: 5 * minute });
  if (code !== 0) throw new Error(`The other servers cannot be installed:\n${output}`);
  const started = [];
  for (const peer of peers) started.push(await startPeer(peer, alg));
  return started;
}

async function startPeer(peer: Peer, alg: string): Promise<Subject> {
  const { name, file, args = [], paths, without, hasSessions = false } = peer;
  const port = await findFreePort();
  const server = await startProcess({
    runtime: "node",
    file: `${folder}/${file}`,
    args: [`${port}`, alg, ...args],
    ready: "bench ready",
  });
  const nowhere = {
    authorize: "",
    token: "",
    introspect: "",
    userinfo: "",
    discovery: "",
    jwks: "",
  };
  const subject = { ...server, name, port, paths: { ...nowhere, ...paths }, without, cookie: "" };
  return hasSessions ? await signedIn(subject) : subject;
}
