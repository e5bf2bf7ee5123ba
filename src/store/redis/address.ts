/** Where Redis is, and how to sign in to it. */
export interface RedisAddress {
  /** One server, or some nodes of a Cluster. */
  hosts: ReadonlyArray<RedisHost>;
  isTls: boolean;
  username: string | undefined;
  password: string | undefined;
  /** The number of the database. A Cluster only has the first, 0. */
  database: number;
  /** What the names of all keys begin with. */
  prefix: string;
  /** The address without user name and password, for messages. */
  displayName: string;
}

/** The name or IP address of a server, and its port. */
export interface RedisHost {
  host: string;
  port: number;
}

const defaultPort = 6379;
const defaultPrefix = "hallpass";

const form =
  "A Redis store is redis://HOST:PORT, or rediss://HOST:PORT with TLS; commas separate the " +
  "nodes of a Cluster";

/** Returns whether the URL of a store is meant for Redis. */
export function isRedisUrl(url: string): boolean {
  return /^rediss?:/.test(url);
}

/** Returns why the URL of a Redis store is invalid, or undefined. It does not quote the URL. */
export function redisUrlProblem(url: string): string | undefined {
  const address = readAddress(url);
  return typeof address === "string" ? address : undefined;
}

/** Parses the URL of a Redis store. */
export function parseRedisUrl(url: string): RedisAddress {
  const address = readAddress(url);
  if (typeof address === "string") throw new Error(`Cannot open the Redis store: ${address}`);
  return address;
}

/** Returns the address, or why the URL is invalid. */
function readAddress(url: string): RedisAddress | string {
  const parts = /^(rediss?):\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/(\d*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) return `${form}.`;
  const [, scheme = "", userInfo, hostList = "", database = "", query = ""] = parts;
  const hosts = hostList.split(",").map(parseHost);
  if (!hosts.every((host) => host !== undefined)) return `needs valid hosts and ports. ${form}.`;
  const credentials = readCredentials(userInfo);
  if (!credentials) return "The user name or password is not percent-encoded.";
  const parameters = new URLSearchParams(query);
  const prefix = parameters.get("prefix") ?? defaultPrefix;
  const problem = parameterProblem(parameters, prefix);
  if (problem) return problem;
  const suffix = (database && `/${Number(database)}`) +
    (prefix === defaultPrefix ? "" : `?prefix=${prefix}`);
  return {
    hosts,
    isTls: scheme === "rediss",
    ...credentials,
    database: Number(database),
    prefix,
    displayName: `${scheme}://${hostList}${suffix}`,
  };
}

function parseHost(text: string): RedisHost | undefined {
  const url = `http://${text}`;
  if (text === "" || !URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  // A URL does not keep the default port of its scheme.
  const isHttpPort = port === "" && text.endsWith(":80");
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (isHttpPort ? 80 : defaultPort),
  };
}

function readCredentials(
  userInfo: string | undefined,
): Pick<RedisAddress, "username" | "password"> | undefined {
  if (userInfo === undefined) return { username: undefined, password: undefined };
  const [username = "", ...rest] = userInfo.split(":");
  try {
    const password = decodeURIComponent(rest.join(":"));
    return {
      username: decodeURIComponent(username) || undefined,
      password: password || undefined,
    };
  } catch {
    return undefined;
  }
}

function parameterProblem(parameters: URLSearchParams, prefix: string): string | undefined {
  const unknown = [...parameters.keys()].find((name) => name !== "prefix");
  if (unknown) return `The URL of a Redis store has one parameter, prefix; this one is ${unknown}.`;
  if (/^[\w.:-]{1,100}$/.test(prefix)) return undefined;
  return "The prefix may contain letters, digits and the characters . _ : -";
}
