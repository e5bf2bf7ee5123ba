import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  everyFlowConfig,
  redirectUri as everyFlowUri,
  userPassword,
} from "../../tests/support/every_flow.ts";
import { createKit, type FlowKit } from "../../tests/support/flow_kit.ts";
import { findFreePort } from "../../tests/support/free_port.ts";
import { app, opaque, patient, redirectUri, service } from "./directory.ts";
import { type ServerProcess, startProcess } from "./process.ts";

/** When a request has failed, in milliseconds: no server may let anyone wait for ever. */
const requestTimeout = 60_000;

/** A server under trial, which can be measured, stopped and started again. */
export interface TrialServer extends Pick<ServerProcess, "issuer" | "ask" | "takeOutput" | "stop"> {
  port: number;
  /** How often each status came. */
  statuses: ReadonlyMap<number, number>;
  /** Creates a kit for the users and clients of a network. */
  kit(sender?: string): FlowKit;
  /** Sets the clock ahead by this many milliseconds. */
  advance(ms: number): Promise<void>;
  /** Starts the server again, on the same port. */
  start(command?: readonly string[]): Promise<void>;
}

/** Which server to start. */
export interface TrialServerOptions {
  /** What runs the program, with the probe in it. */
  command: readonly string[];
  /** The URL of the store. */
  store: string;
  folder: string;
}

/** Calls a function with a server that offers every flow, which must end well afterwards. */
export async function withServer<T>(
  { command, store, folder }: TrialServerOptions,
  act: (server: TrialServer) => Promise<T>,
): Promise<T> {
  const port = await findFreePort();
  const file = await writeTrialConfig(folder, { store, port });
  const launch = (command: readonly string[]) =>
    startProcess([...command, "serve", "--config", file]);
  let running = await launch(command);
  const { issuer } = running;
  const statuses = new Map<number, number>();
  let ahead = 0;
  // The clock is the server's, and cannot be advanced by one of its users.
  const clock = {
    get now() {
      return Date.now() + ahead;
    },
    advance: () => {},
  };
  const server: TrialServer = {
    issuer,
    port,
    statuses,
    ask: (path) => running.ask(path),
    takeOutput: () => running.takeOutput(),
    stop: (signal) => running.stop(signal),
    async start(next = command) {
      running = await launch(next);
    },
    kit(sender = "192.0.2.1") {
      const send = async (request: Request) => {
        const response = await forward(request, sender);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        return response;
      };
      return createKit({ issuer, fetch: send }, { clock, events: [] }, everyFlowUri);
    },
    async advance(ms) {
      await running.ask(`/ahead?ms=${ms}`);
      ahead += ms;
    },
  };
  const [acted] = await Promise.allSettled([act(server)]);
  const code = await running.stop();
  if (acted.status === "rejected") throw acted.reason;
  if (code !== 0) throw new Error(`The server has ended with exit code ${code}.`);
  return acted.value;
}

/** Sends a request as a proxy on this machine does. */
async function forward(request: Request, sender: string): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("X-Forwarded-For", sender);
  const signal = AbortSignal.timeout(requestTimeout);
  return await fetch(new Request(request, { headers, signal, redirect: "manual" }));
}

/** What may differ from one configuration to the next. */
interface TrialSettings {
  alg?: string;
  store?: string;
  issuer?: string;
  port?: number;
  /** Whether it offers every flow, as by default. Earlier builds refuse what came later. */
  offersEveryFlow?: boolean;
}

const web = { redirectUris: [redirectUri] };

/** A server behind a proxy on this machine, for a load that comes from few networks. */
const trialConfig = {
  port: 0,
  trustedProxies: ["127.0.0.1", "::1"],
  keyRotation: "never",
  registrationsPerMinute: 1_000_000,
  storedBytesPerMinute: 1_000_000_000,
  users: [{ name: "alice", password: userPassword, claims: { name: "Alice" } }],
  scopes: everyFlowConfig.scopes,
  clients: [
    { ...patient, ...web, accessTokenFormat: "opaque", introspect: "any" },
    { ...service, grantTypes: ["client_credentials"], introspect: "any" },
  ],
};

/** Writes the configuration of a server under trial, and returns the path of the file. */
export async function writeTrialConfig(
  folder: string,
  { alg = "EdDSA", offersEveryFlow = true, ...changes }: TrialSettings,
): Promise<string> {
  const file = join(folder, "hallpass.json");
  const flows = offersEveryFlow
    ? {
      ...everyFlowConfig,
      clientMetadataDocuments: true,
      backchannelRequestsPerMinute: 1_000_000,
    }
    : { clients: [] };
  const ofOpaque = { ...opaque, ...web, accessTokenFormat: "opaque", introspect: "any" };
  const own = [
    { ...app, ...web, idTokenAlg: alg },
    { ...ofOpaque, ...offersEveryFlow && { refreshReuseGrace: "0s" } },
  ];
  const clients = [...flows.clients ?? [], ...trialConfig.clients, ...own];
  await writeFile(file, JSON.stringify({ ...flows, ...trialConfig, alg, clients, ...changes }));
  return file;
}
