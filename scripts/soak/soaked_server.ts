import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { everyFlowConfig, redirectUri } from "../../tests/support/every_flow.ts";
import { createKit, type FlowKit } from "../../tests/support/kit.ts";
import { type SoakedProcess, startSoakedProcess } from "./soaked_process.ts";

/** The memory of a process after a garbage collection, in bytes. */
export interface Memory {
  heapUsed: number;
  rss: number;
}

/** A server under load, which can be measured. */
export interface SoakedServer extends Pick<SoakedProcess, "takeLastSweep" | "stop"> {
  port: number;
  /** How often each status came. */
  statuses: ReadonlyMap<number, number>;
  /** Creates a kit for the users and clients of a network. */
  kit(sender: string): FlowKit;
  memory(): Promise<Memory>;
  /** Sets the clock ahead by this many milliseconds. */
  advance(ms: number): Promise<void>;
}

/** Which server to start. */
export interface SoakedServerOptions {
  command: readonly string[];
  /** The name of the store. */
  store: string;
  folder: string;
  /** Changes to the configuration. */
  config?: object;
}

/** Starts a server that offers every flow. */
export async function startSoakedServer(options: SoakedServerOptions): Promise<SoakedServer> {
  const { store, folder, command, config } = options;
  const file = join(folder, "hallpass.json");
  await writeFile(file, soakConfig({ ...config, store }));
  const { issuer, probePort, takeLastSweep, stop } = await startSoakedProcess(
    [...command, "serve", "--config", file],
  );
  const port = Number(new URL(issuer).port);
  const statuses = new Map<number, number>();
  let ahead = 0;
  const askProbe = async (path: string) =>
    await (await fetch(`http://127.0.0.1:${probePort}${path}`)).json();

  return {
    port,
    takeLastSweep,
    stop,
    statuses,
    kit(sender) {
      const send = async (request: Request) => {
        const response = await forward(request, port, sender);
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
      return createKit({ issuer, fetch: send }, { clock, events: [] }, redirectUri);
    },
    memory: () => askProbe("/memory"),
    async advance(ms) {
      await askProbe(`/ahead?ms=${ms}`);
      ahead += ms;
    },
  };
}

/** Returns the configuration of a server that trusts a proxy on this machine. */
function soakConfig(changes: object): string {
  const keys = { alg: "EdDSA", keyRotation: "never" };
  const address = { port: 0, trustedProxies: ["127.0.0.1"] };
  return JSON.stringify({ ...everyFlowConfig, ...keys, ...address, ...changes });
}

/** Sends a request to a port of this machine, as the proxy does. */
async function forward(request: Request, port: number, sender: string): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  headers.set("X-Forwarded-For", sender);
  const body = request.body === null ? null : await request.text();
  const { method } = request;
  const url = `http://127.0.0.1:${port}${pathname}${search}`;
  return await fetch(url, { method, headers, body, redirect: "manual" });
}
