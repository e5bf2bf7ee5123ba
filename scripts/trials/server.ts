import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { everyFlowConfig, userPassword } from "../../tests/support/every_flow.ts";
import { createKit, type FlowKit } from "../../tests/support/flow_kit.ts";
import { app, opaque, patient, redirectUri, service } from "./directory.ts";
import { type ServerProcess, startProcess } from "./process.ts";

/** When a request has failed, in milliseconds: no server may let anyone wait for ever. */
const requestTimeout = 60_000;

/** The issuer of a server that has another port at each start. Nothing listens there. */
export const lastingIssuer = "http://localhost:1";

/** A server under trial, which can be measured, stopped and started again. */
export interface TrialServer extends Omit<ServerProcess, "port"> {
  port(): number;
  /** How often each status came. */
  statuses: ReadonlyMap<number, number>;
  /** Creates a kit for the users and clients of a network. It outlives a start. */
  kit(sender?: string): FlowKit;
  /** Sets the clock ahead by this many milliseconds. */
  advance(ms: number): Promise<void>;
  /** Starts the server again, on another port. */
  start(command?: readonly string[]): Promise<void>;
}

/** What may differ from one configuration to the next. */
interface TrialSettings {
  alg?: string;
  store?: string;
  issuer?: string;
  /** Whether it offers every flow, as by default. Earlier builds refuse what came later. */
  offersEveryFlow?: boolean;
}

/** Which server to start. */
export interface TrialServerOptions {
  /** What runs the program, with the probe in it. */
  command: readonly string[];
  /** The URL of the store. */
  store: string;
  folder: string;
  /** Changes to the configuration. */
  config?: TrialSettings;
}

/** Starts a server that offers every flow. */
export async function startTrialServer(options: TrialServerOptions): Promise<TrialServer> {
  const { store, folder, config } = options;
  const file = await writeTrialConfig(folder, { ...config, store });
  const launch = (command: readonly string[]) =>
    startProcess([...command, "serve", "--config", file]);
  let running = await launch(options.command);
  const { issuer } = running;
  const statuses = new Map<number, number>();
  let ahead = 0;

  return {
    issuer,
    port: () => running.port,
    ask: (path) => running.ask(path),
    statuses,
    takeLastSweep: () => running.takeLastSweep(),
    stop: (signal) => running.stop(signal),
    async start(command = options.command) {
      running = await launch(command);
    },
    kit(sender = "192.0.2.1") {
      const send = async (request: Request) => {
        const response = await forward(request, running.port, sender);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        return response;
      };
      // The clock is the server's, and cannot be advanced by one of its users.
      const clock = {
        get now() {
          return Date.now() + ahead;
        },
        advance: () => {},
      };
      const everyFlowUri = "https://hallpass.test/authorized";
      return createKit({ issuer, fetch: send }, { clock, events: [] }, everyFlowUri);
    },
    async advance(ms) {
      await running.ask(`/ahead?ms=${ms}`);
      ahead += ms;
    },
  };
}

const web = { redirectUris: [redirectUri] };

/** A server behind a proxy on this machine, for a load that comes from few networks. */
const trialConfig = {
  port: 0,
  trustedProxies: ["127.0.0.1"],
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

/** Sends a request to a port of this machine, as the proxy does. */
async function forward(request: Request, port: number, sender: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("X-Forwarded-For", sender);
  const body = request.body === null ? null : await request.text();
  const { method } = request;
  const url = `http://127.0.0.1:${port}${pathname}${search}`;
  const signal = AbortSignal.timeout(requestTimeout);
  return await fetch(url, { method, headers, body, signal, redirect: "manual" });
}
