import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createBrowser } from "../../tests/support/browser.ts";
import { userPassword } from "../../tests/support/every_flow.ts";
import { findFreePort } from "../../tests/support/free_port.ts";
import { succeed } from "../child.ts";
import { app, opaque } from "../trials/directory.ts";
import { commandOn, type ServerProcess, startProcess } from "../trials/process.ts";
import { writeTrialConfig } from "../trials/server.ts";
import { openAllStores } from "../trials/stores.ts";
import { authorizationPath, type MeasuredServer, ownPaths, type Paths } from "./workloads.ts";

/** What to measure, beside the floor. */
export interface Comparison {
  runtime: string;
  alg: string;
  /** The addresses of stores; by default, every one whose server is found. */
  stores?: readonly string[] | undefined;
  /** Other builds of the program. */
  beside: readonly string[];
  /** Whether to measure a lab as well, which records every request. */
  lab: boolean;
  /** Whether to measure other servers as well, which run on Node. */
  peers: boolean;
}

/** A server to measure. */
export interface ServerKind extends Omit<MeasuredServer, "cookie"> {
  name: string;
  whose: "floor" | "ours" | "theirs";
  /** Whether its user signs in with a browser. The others take every request for signed in. */
  hasSessions: boolean;
  /** Returns what runs it. */
  command(): Promise<string[]>;
}

/** A server that runs, in a process of its own. */
export interface Subject extends ServerKind, MeasuredServer, ServerProcess {}

/** The core of the measured servers. The load generator has the others. */
const pinned: readonly string[] = ["taskset", "-c", "0"];

const peerFolder = ".build/bench/peers";
const packages = ["oidc-provider@9", "oauth2-mock-server@9", "@node-oauth/oauth2-server@5"];

const providerPaths: Paths = {
  authorize: "/auth",
  token: "/token",
  introspect: "/token/introspection",
  userinfo: "/me",
  discovery: ownPaths.discovery,
  jwks: "/jwks",
};

/** Other servers, as the files in `peers/` set them up. */
const peers: ReadonlyArray<Omit<ServerKind, "whose" | "command"> & { words: string[] }> = [
  {
    name: "oidc-provider",
    words: ["oidc_provider.mjs", "jwt"],
    paths: providerPaths,
    // Its tokens for an API are not for userinfo, and it introspects no JWT.
    without: ["userinfo", "introspect", "opaque flow"],
    hasSessions: true,
  },
  {
    name: "oidc-provider, opaque",
    words: ["oidc_provider.mjs", "opaque"],
    paths: providerPaths,
    without: ["opaque flow"],
    hasSessions: true,
  },
  {
    name: "oauth2-mock-server",
    words: ["oauth2_mock_server.mjs"],
    paths: {
      ...providerPaths,
      authorize: "/authorize",
      introspect: "/introspect",
      userinfo: "/userinfo",
    },
    without: ["opaque flow"],
    hasSessions: false,
  },
  {
    name: "node-oauth2-server",
    words: ["oauth2_server.mjs"],
    paths: { ...ownPaths, authorize: "/authorize", token: "/token" },
    without: ["flow", "introspect", "userinfo", "discovery", "jwks"],
    hasSessions: false,
  },
];

/** Returns the servers of a comparison: the floor, Hallpass on each store, and other servers. */
export async function serversOf(comparison: Comparison, folder: string): Promise<ServerKind[]> {
  const { runtime, alg, beside, lab } = comparison;
  const own = { paths: ownPaths, without: [], hasSessions: true };
  /** Hallpass as an operator starts it, or another build of it. */
  const hallpass = (
    name: string,
    store = "memory",
    mode = "serve",
    build?: string,
  ): ServerKind => ({
    ...{ ...own, name, whose: "ours" },
    async command() {
      const config = await writeTrialConfig(folder, { alg, store, offersEveryFlow: false });
      return [...await commandOn(runtime, build), mode, "--config", config];
    },
  });
  const builds = [undefined, ...beside];
  // Each build has stores of its own, but for those whose addresses are given.
  const stores: string[][] = [];
  for (const at of builds.keys()) {
    const own = join(folder, `build-${at}`);
    await mkdir(own);
    stores.push([...comparison.stores ?? await openAllStores(own)]);
  }
  // The builds of a store are measured after one another: a server that waited longer since it was
  // warm has collected its garbage, and costs up to 1.4 times as much on Deno.
  const ours = (stores[0] ?? []).flatMap((_, kind) =>
    builds.map((build, at) => {
      const store = stores[at]?.[kind] ?? "memory";
      return hallpass(nameOf(store.split(":")[0] ?? "", at), store, "serve", build);
    })
  );
  if (lab) ours.push(hallpass("lab", "memory", "lab"));
  const documents = await writeDocuments(hallpass("memory"), folder);
  const floor: ServerKind = {
    ...{ ...own, name: "floor", whose: "floor" },
    async command() {
      const command = await commandOn(runtime, "scripts/bench/floor/server.ts");
      return [...command, `${await findFreePort()}`, alg, documents];
    },
  };
  return [floor, ...ours, ...comparison.peers && runtime === "node" ? await peersOf(alg) : []];
}

/** Returns the name of a build of Hallpass on a kind of store; 0 is this build. */
export function nameOf(store: string, build: number): string {
  return build === 0 ? store : `${store}, build ${build + 1}`;
}

/** Starts a server, signs the user in, and allows each client what it will ask for. */
export async function startSubject(kind: ServerKind): Promise<Subject> {
  const subject = { ...kind, ...await startProcess([...pinned, ...await kind.command()]) };
  if (!kind.hasSessions) return { ...subject, cookie: "" };
  const origin = `http://localhost:${subject.port}`;
  const browser = createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(origin),
  );
  for (const client of [app, opaque]) {
    const url = origin + authorizationPath(kind.paths, client);
    await browser.authorize(url, { password: userPassword });
  }
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...subject, cookie };
}

/** Writes the documents that the floor serves: those of Hallpass. */
async function writeDocuments(kind: ServerKind, folder: string): Promise<string> {
  const file = join(folder, "documents.json");
  const { port, stop } = await startSubject(kind);
  const text = async (path: string) =>
    (await (await fetch(`http://localhost:${port}${path}`)).text()).trim();
  const document = await text(ownPaths.discovery);
  await writeFile(file, JSON.stringify({ document, keys: await text(ownPaths.jwks) }));
  await stop("SIGKILL");
  return file;
}

/** Fetches other servers from the npm registry, and returns the folder with what starts them. */
export async function fetchPeers(): Promise<string> {
  await mkdir(peerFolder, { recursive: true });
  await cp("scripts/bench/peers", peerFolder, { recursive: true });
  const install = ["npm", "install", "--prefix", peerFolder, "--no-audit", "--no-fund"];
  await succeed([...install, ...packages]);
  return peerFolder;
}

async function peersOf(alg: string): Promise<ServerKind[]> {
  await fetchPeers();
  return peers.map(({ words: [file, ...args], ...peer }) => ({
    ...{ ...peer, whose: "theirs" },
    command: async () => [
      ...await commandOn("node", `${peerFolder}/${file}`),
      ...[`${await findFreePort()}`, alg, ...args],
    ],
  }));
}
