import { mkdir, rm, writeFile } from "node:fs/promises";
import { createBrowser } from "../../tests/support/browser.ts";
import { findFreePort } from "../../tests/support/free_port.ts";
import { bundle, optionalPackages } from "../bundle.ts";
import { client, opaqueClient, redirectUri, service, user } from "./directory.ts";
import { ownPaths, type Runtime, startProcess, type Subject } from "./subject.ts";
import { authorizationPath } from "./workloads.ts";

/** What the servers of a run have in common. */
export interface RunSettings {
  runtime: Runtime;
  alg: string;
  /** The address of a store, as the program takes it. */
  store: string;
  /** Settings of the server that differ from those of every run. */
  config?: object;
  /** Another build of the program, instead of this source. */
  build?: string | undefined;
}

const folder = ".build/bench";

/** Starts Hallpass as an operator does. */
export async function startHallpass(
  { runtime, alg, store, build, config: changes }: RunSettings,
  command: "serve" | "lab" = "serve",
): Promise<Subject> {
  const port = await findFreePort();
  await mkdir(folder, { recursive: true });
  const config = `${folder}/${port}.json`;
  await writeFile(config, JSON.stringify({ ...configuration(port, alg), ...changes }));
  const file = build ?? programFor(runtime);
  const args = [command, "--config", config, "--port", `${port}`, "--store", store];
  const server = await startProcess({ runtime, file, args, ready: "hallpass ready" });
  await rm(config);
  return await signedIn({
    ...server,
    name: build ? "other build" : command === "lab" ? "lab" : store.split(":")[0] ?? store,
    port,
    paths: ownPaths,
    without: [],
    cookie: "",
  });
}

/** Node cannot run TypeScript with JSX, and gets a bundle. */
function programFor(runtime: Runtime): string {
  if (runtime !== "node") return "src/main.ts";
  const outfile = `${folder}/main.mjs`;
  bundle({ entryPoints: ["src/main.ts"], outfile, external: [...optionalPackages] });
  return outfile;
}

/** Starts the floor. It serves the documents of a Hallpass that runs. */
export async function startFloor(
  { runtime, alg }: RunSettings,
  hallpass: Subject,
): Promise<Subject> {
  const port = await findFreePort();
  const documents = `${folder}/documents.json`;
  const text = async (path: string) =>
    (await (await fetch(`http://localhost:${hallpass.port}${path}`)).text()).trim();
  const document = await text(ownPaths.discovery);
  await writeFile(documents, JSON.stringify({ document, keys: await text(ownPaths.jwks) }));
  const file = runtime === "node" ? `${folder}/floor.mjs` : "scripts/bench/floor/server.ts";
  if (runtime === "node") {
    bundle({ entryPoints: ["scripts/bench/floor/server.ts"], outfile: file });
  }
  const args = [`${port}`, alg, documents];
  const server = await startProcess({ runtime, file, args, ready: "bench ready" });
  return await signedIn(
    { ...server, name: "floor", port, paths: ownPaths, without: [], cookie: "" },
  );
}

/** Signs the user in, and allows each client what it will ask for. */
export async function signedIn(subject: Subject): Promise<Subject> {
  const origin = `http://localhost:${subject.port}`;
  const browser = createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(origin),
  );
  for (const each of [client, opaqueClient]) {
    const actions = { user: user.name, password: user.password };
    await browser.authorize(origin + authorizationPath(subject, each), actions);
  }
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...subject, cookie };
}

function configuration(port: number, alg: string): object {
  const web = { redirectUris: [redirectUri], idTokenAlg: alg };
  const grantTypes = ["client_credentials"];
  return {
    issuer: `http://localhost:${port}`,
    alg,
    scopes: { openid: "Sign you in", profile: "See your name", read: "Read" },
    clients: [
      { ...client, ...web },
      { ...opaqueClient, ...web, accessTokenFormat: "opaque" },
      { ...service, grantTypes, introspect: "any" },
    ],
    users: [{ ...user, claims: { name: "Alice" } }],
  };
}
