import type {
  Agent,
  ClientRequest,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { parseUrl } from "../../server/util/addresses/uri.ts";
import { LabError } from "../util/lab_error.ts";

/** Finds what responds to a request if it belongs to a lab; throws if it may not be sent at all. */
export type FindResponder = (
  url: URL,
) => ((request: Request) => Promise<Response>) | undefined;

/** The part of Node's modules that is used. They are not imported: browsers have none of them. */
interface NodeModules {
  http: typeof import("node:http");
  stream: typeof import("node:stream");
}

/** Where a client believes to connect to. */
interface Destination {
  host?: string | undefined;
  hostname?: string | undefined;
  port?: number | string | undefined;
  socketPath?: string | null | undefined;
}

type AddRequest = (request: ClientRequest, options: Destination, ...rest: unknown[]) => void;

/** An agent, with the method that Node's types leave out: every request goes through it. */
interface RequestQueue {
  addRequest: AddRequest;
}

/** The methods of a socket that clients and servers call and a stream does not have. */
const socketMethods = ["ref", "unref", "setKeepAlive", "setNoDelay"] as const;

/** Methods whose requests have no body. */
const bodiless = ["GET", "HEAD"];

/**
 * Leads requests of `node:http` and `node:https` to labs, and returns a function that ends this.
 * Every agent inherits the method that is replaced, so it does not matter how the modules were
 * imported, or when an agent was made. Client and server speak HTTP over a pair of streams.
 */
export function interceptNodeHttp(findResponder: FindResponder): () => void {
  const modules = requireNodeModules();
  const { http } = modules;
  const queue = http.Agent.prototype as unknown as RequestQueue;
  const original = queue.addRequest;
  const agents = new Map<string, RequestQueue>();

  function agentFor(origin: string): RequestQueue {
    const existing = agents.get(origin);
    if (existing) return existing;
    const server = http.createServer(listenerFor(origin, findResponder));
    server.keepAliveTimeout = 0;
    const agent = createInMemoryAgent(modules, (_, remote) => server.emit("connection", remote));
    agents.set(origin, agent);
    return agent;
  }

  /** Returns the agent for a request to a lab, or for one that must fail. */
  function findAgent(url: URL): RequestQueue | undefined {
    try {
      return findResponder(url) && agentFor(url.origin);
    } catch (cause) {
      // As in Node, the request emits the error, once its caller can listen.
      return createInMemoryAgent(modules, (client) => {
        setImmediate(() => client.destroy(cause as Error));
      });
    }
  }

  const replacement: AddRequest = function (this: Agent & RequestQueue, request, options, ...rest) {
    const url = options.socketPath ? undefined : urlOf(request, options);
    const agent = url && findAgent(url) as Agent & RequestQueue | undefined;
    original.call(agent ?? this, request, options, ...rest);
  };
  queue.addRequest = replacement;

  return () => {
    if (queue.addRequest === replacement) queue.addRequest = original;
    for (const agent of agents.values()) (agent as unknown as Agent).destroy();
  };
}

function requireNodeModules(): NodeModules {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const http = process?.getBuiltinModule?.("node:http") as NodeModules["http"] | undefined;
  const stream = process?.getBuiltinModule?.("node:stream") as NodeModules["stream"] | undefined;
  if (http && stream && hasRequestQueue(http)) return { http, stream };
  throw new LabError(
    "lab.intercept({ http: true }) cannot replace node:http here: it needs Node 20.16 or later, " +
      "or a Deno or Bun whose agents have Node's 'addRequest'. Use hallpass({ listen: true }), " +
      "or lab.intercept() for fetch.",
  );
}

/**
 * Returns whether requests go through a method of agents, which other runtimes than Node may lack.
 */
function hasRequestQueue({ Agent }: NodeModules["http"]): boolean {
  const { addRequest } = Agent.prototype as Partial<RequestQueue>;
  return typeof addRequest === "function";
}

function urlOf(request: ClientRequest, { host, hostname, port }: Destination): URL | undefined {
  const name = host ?? hostname ?? "localhost";
  const written = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  const origin = `${request.protocol}//${written}${port ? `:${port}` : ""}`;
  return parseUrl(origin + request.path);
}

/**
 * Creates an agent whose connections are in this process. Each has one request: on one that is used
 * again, node-fetch on Deno waits for its second response forever.
 */
function createInMemoryAgent(
  { http, stream }: NodeModules,
  onConnection: (client: Duplex, remote: Duplex) => void,
): RequestQueue {
  const agent = new http.Agent({ keepAlive: false });
  agent.createConnection = () => {
    const [client, remote] = createSocketPair(stream);
    onConnection(client, remote);
    return client;
  };
  return agent as unknown as RequestQueue;
}

/** Creates two streams; what is written to one can be read from the other. */
function createSocketPair({ Duplex }: NodeModules["stream"]): [Duplex, Duplex] {
  const waiting = new Map<Duplex, () => void>();
  const create = (other: () => Duplex): Duplex => {
    const socket: Duplex = new Duplex({
      read() {
        const done = waiting.get(socket);
        waiting.delete(socket);
        done?.();
      },
      write(chunk, _encoding, done) {
        if (other().push(chunk)) return done();
        waiting.set(other(), done);
      },
      final(done) {
        other().push(null);
        done();
      },
      destroy(error, done) {
        done(error);
        // A connection that one side breaks is broken for the other.
        if (!other().destroyed) setImmediate(() => other().destroy());
      },
    });
    return addSocketMethods(socket);
  };
  const client: Duplex = create(() => server);
  const server: Duplex = create(() => client);
  return [client, server];
}

function addSocketMethods(socket: Duplex): Duplex {
  const methods = socketMethods.map((name) => [name, () => socket]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const setSocketTimeout = (milliseconds: number, listener?: () => void) => {
    clearTimeout(timer);
    // As in node:net, zero ends the timeout and forgets its listener.
    if (milliseconds === 0) return listener ? socket.off("timeout", listener) : socket;
    timer = setTimeout(() => socket.emit("timeout"), milliseconds);
    return listener ? socket.once("timeout", listener) : socket;
  };
  socket.once("close", () => clearTimeout(timer));
  return Object.assign(socket, Object.fromEntries(methods), {
    setTimeout: setSocketTimeout,
    destroySoon: () => socket.end(() => socket.destroy()),
    remoteAddress: "127.0.0.1",
  });
}

function listenerFor(origin: string, findResponder: FindResponder): RequestListener {
  return async (message, outgoing) => {
    const url = new URL(message.url ?? "/", origin);
    const aborted = new AbortController();
    outgoing.once("close", () => aborted.abort());
    try {
      const respond = findResponder(url);
      if (!respond) throw new LabError(`'${url.href}' is no longer intercepted.`);
      await send(await respond(await toRequest(message, url, aborted.signal)), outgoing);
    } catch {
      // A client sees a connection that broke, as it does in a network.
      message.socket.destroy();
    }
  };
}

async function toRequest(
  message: IncomingMessage,
  url: URL,
  signal: AbortSignal,
): Promise<Request> {
  const { method = "GET", rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  }
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const body = bodiless.includes(method) ? null : new Blob(chunks);
  return new Request(url, { method, headers, body, signal });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const cookies = response.headers.getSetCookie();
  const others = [...response.headers].filter(([name]) => name !== "set-cookie");
  const headers = {
    ...Object.fromEntries(others),
    ...cookies.length > 0 && { "set-cookie": cookies },
  };
  outgoing.writeHead(response.status, headers);
  for await (const chunk of response.body ?? []) {
    if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once("drain", resolve));
  }
  outgoing.end();
}
