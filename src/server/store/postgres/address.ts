import { type ServerHost, splitServerUrl } from "../server_url.ts";

/** Where PostgreSQL is, and how to sign in to it. */
export interface PostgresAddress {
  /** One server, or several of which one takes writes. */
  hosts: readonly ServerHost[];
  username: string;
  /** Empty to take that of the environment, if there is one. */
  password: string;
  database: string;
  /** Where the tables are; undefined for the user's default. */
  schema: string | undefined;
  sslMode: (typeof sslModes)[number];
  connections: number;
  /** Whether statements are prepared, unless there is a connection pooler. */
  isPrepared: boolean;
  /** The address without user name and password, for messages. */
  displayName: string;
}

/** What is between this server and PostgreSQL. */
export interface PostgresPath {
  /** Whether a connection pooler may give each statement to another connection. */
  isPooled: boolean;
}

const defaultPort = 5432;
const defaultConnections = 10;
const sslModes = ["disable", "prefer", "require", "verify-full"] as const;

const form = "A PostgreSQL store is postgres://USER:PASSWORD@HOST:PORT/DATABASE; commas separate " +
  "hosts of which one takes writes";

/** The parameters of the URL, and which values they take. */
const parameterRules: Readonly<Record<string, [pattern: RegExp, rule: string]>> = {
  sslmode: [new RegExp(`^(${sslModes.join("|")})$`), `is ${sslModes.join(", ")}`],
  schema: [/^[a-z_][a-z0-9_]{0,62}$/, "is a name of small letters, digits and underscores"],
  connections: [/^([1-9]\d{0,2})$/, "is a number from 1 to 999"],
  prepare: [/^(true|false)$/, "is true or false"],
};

/** Returns whether the URL of a store is meant for PostgreSQL. */
export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:/.test(url);
}

/**
 * Returns why the URL of a PostgreSQL store is invalid, or undefined. It does not quote the URL.
 */
export function postgresUrlProblem(url: string): string | undefined {
  const address = readAddress(url);
  return typeof address === "string" ? address : undefined;
}

export function parsePostgresUrl(url: string): PostgresAddress {
  const address = readAddress(url);
  if (typeof address === "string") throw new Error(`Cannot open the PostgreSQL store: ${address}`);
  return address;
}

/**
 * Returns the name of a table, with its schema. `search_path` is no alternative: a connection
 * pooler may refuse or lose it.
 */
export function qualify(table: string, schema: string | undefined): string {
  return schema === undefined ? table : `"${schema}".${table}`;
}

/** Returns the address, or why the URL is invalid. */
function readAddress(url: string): PostgresAddress | string {
  const parts = splitServerUrl(url, { form, defaultPort });
  if (typeof parts === "string") return parts;
  const { scheme, username, password = "", hosts, hostList, path, parameters } = parts;
  if (!isPostgresUrl(url) || username === undefined) return `${form}.`;
  const problem = parameterProblem(parameters);
  if (problem) return problem;
  const database = path || username;
  const schema = parameters.get("schema") ?? undefined;
  return {
    hosts,
    username,
    password,
    database,
    schema,
    sslMode: sslModes.find((mode) => mode === parameters.get("sslmode")) ?? "prefer",
    connections: Number(parameters.get("connections") ?? defaultConnections),
    isPrepared: parameters.get("prepare") !== "false",
    displayName: `${scheme}://${hostList}/${database}${schema ? `?schema=${schema}` : ""}`,
  };
}

function parameterProblem(parameters: URLSearchParams): string | undefined {
  for (const [name, value] of parameters) {
    const [pattern, rule] = Object.hasOwn(parameterRules, name) ? parameterRules[name] ?? [] : [];
    if (!pattern) {
      const names = Object.keys(parameterRules).join(", ");
      return `The URL of a PostgreSQL store has the parameters ${names}; this one is ${name}.`;
    }
    if (!pattern.test(value)) return `The parameter ${name} ${rule}.`;
  }
  return undefined;
}
