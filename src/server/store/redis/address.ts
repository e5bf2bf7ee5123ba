import { type ServerHost, splitServerUrl } from "../server_url.ts";

/** Where Redis is, and how to sign in to it. */
export interface RedisAddress {
  /** One server, or some nodes of a Cluster. */
  hosts: readonly ServerHost[];
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

const defaultPort = 6379;
const defaultPrefix = "hallpass";

const form =
  "A Redis store is redis://HOST:PORT, or rediss://HOST:PORT with TLS; commas separate the " +
  "nodes of a Cluster";

export function isRedisUrl(url: string): boolean {
  return /^rediss?:/.test(url);
}

/** Returns why the URL of a Redis store is invalid, or undefined. It does not quote the URL. */
export function redisUrlProblem(url: string): string | undefined {
  const address = readAddress(url);
  return typeof address === "string" ? address : undefined;
}

export function parseRedisUrl(url: string): RedisAddress {
  const address = readAddress(url);
  if (typeof address === "string") throw new Error(`Cannot open the Redis store: ${address}`);
  return address;
}

/** Returns the address, or why the URL is invalid. */
function readAddress(url: string): RedisAddress | string {
  const parts = splitServerUrl(url, { form, defaultPort });
  if (typeof parts === "string") return parts;
  const { scheme, username, password, hosts, hostList, path, parameters } = parts;
  if (!isRedisUrl(url) || !/^\d*$/.test(path)) return `${form}.`;
  const prefix = parameters.get("prefix") ?? defaultPrefix;
  const problem = parameterProblem(parameters, prefix);
  if (problem) return problem;
  const suffix = (path && `/${Number(path)}`) +
    (prefix === defaultPrefix ? "" : `?prefix=${prefix}`);
  return {
    hosts,
    isTls: scheme === "rediss",
    username,
    password,
    database: Number(path),
    prefix,
    displayName: `${scheme}://${hostList}${suffix}`,
  };
}

function parameterProblem(parameters: URLSearchParams, prefix: string): string | undefined {
  const unknown = [...parameters.keys()].find((name) => name !== "prefix");
  if (unknown) return `The URL of a Redis store has one parameter, prefix; this one is ${unknown}.`;
  if (/^[\w.:-]{1,100}$/.test(prefix)) return undefined;
  return "The prefix may contain letters, digits and the characters . _ : -";
}
