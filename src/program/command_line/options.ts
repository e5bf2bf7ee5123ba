import { profileNames } from "../../server/config/profiles/profiles.ts";
import { signingAlgorithms } from "../../server/model/signing.ts";
import { redirectUriProblem } from "../../server/protocol/redirect_uri.ts";
import { isWebOrigin } from "../../server/util/addresses/uri.ts";
import { logLevels } from "../monitoring/event_level.ts";
import { logForms } from "../monitoring/log.ts";
import { storeForms, storeProblem } from "./store_name.ts";

/** An option of the command line. */
export interface Option {
  name: string;
  /** What the help calls the value. An option without one is a switch. */
  valueName?: string | undefined;
  /** Whether it may be given more than once. In the environment, spaces separate the values. */
  repeatable?: boolean;
  /** Whether the environment may hold it as well, as `HALLPASS_…`. */
  inEnvironment?: boolean;
  help: string;
  /** Whether messages must not repeat the value. */
  mayHoldPassword?: boolean;
  /** Returns why a value is invalid, or undefined. */
  problem?: (value: string) => string | undefined;
}

const maxPort = 65535;

/** Returns the values among which an option chooses, if its value has the form "one|other". */
export function choicesOf({ valueName = "" }: Option): string[] {
  return valueName.includes("|") ? valueName.split("|") : [];
}

export const port: Option = {
  name: "port",
  valueName: "N",
  inEnvironment: true,
  help: "the port to listen on; 0 picks a free one (default 9000, with --hosts 443; " +
    "PORT works as well)",
  problem: portProblem,
};

export const host: Option = {
  name: "host",
  valueName: "NAME",
  inEnvironment: true,
  help: "the address to listen on (default localhost, IPv4 and IPv6)",
};

export const issuer: Option = {
  name: "issuer",
  valueName: "URL",
  inEnvironment: true,
  help: "the issuer identifier (default http://localhost:PORT)",
  problem: urlProblem,
};

export const labUrl: Option = {
  name: "lab",
  valueName: "URL",
  help: "the address of the running lab (default http://localhost:9000)",
  problem: urlProblem,
};

export const tokenScope: Option = {
  name: "scope",
  valueName: "SCOPES",
  help: "the scope of the token (default: that of the client)",
};

export const tokenClient: Option = {
  name: "client",
  valueName: "ID",
  help: "the client of the token (default: the first one that users sign in to)",
};

export const frontChannel: Option = {
  name: "front-channel",
  valueName: "URL",
  inEnvironment: true,
  help: "the address for browsers, if it is not the issuer",
  problem: urlProblem,
};

export const backChannel: Option = {
  name: "back-channel",
  valueName: "URL",
  inEnvironment: true,
  help: "the address for applications, if it is not the issuer",
  problem: urlProblem,
};

export const store: Option = {
  name: "store",
  valueName: "STORE",
  inEnvironment: true,
  help: `where to store everything: ${storeForms} (default memory)`,
  mayHoldPassword: true,
  problem: storeProblem,
};

export const config: Option = {
  name: "config",
  valueName: "FILE",
  inEnvironment: true,
  help: "a configuration in JSON, or a .ts or .js module that exports one",
};

export const logForm: Option = {
  name: "log",
  valueName: logForms.join("|"),
  inEnvironment: true,
  help: "the format of the log (default text)",
  problem: oneOf(logForms),
};

export const logLevel: Option = {
  name: "log-level",
  valueName: logLevels.join("|"),
  inEnvironment: true,
  help: "the lowest level of events to log (default info)",
  problem: oneOf(logLevels),
};

export const metricsPort: Option = {
  name: "metrics-port",
  valueName: "N",
  inEnvironment: true,
  help: "serve /metrics for Prometheus and /ready for probes on this port; 0 picks a free one",
  problem: portProblem,
};

export const metricsHost: Option = {
  name: "metrics-host",
  valueName: "NAME",
  inEnvironment: true,
  help: "the address to listen on for --metrics-port (default localhost)",
};

export const profile: Option = {
  name: "profile",
  valueName: profileNames.join("|"),
  inEnvironment: true,
  help: `a preset of rules (default ${profileNames[0]})`,
  problem: oneOf(profileNames),
};

export const alg: Option = {
  name: "alg",
  valueName: signingAlgorithms.join("|"),
  inEnvironment: true,
  help: "the algorithm that signs access tokens (default RS256)",
  problem: oneOf(signingAlgorithms),
};

export const cert: Option = {
  name: "cert",
  valueName: "FILE",
  inEnvironment: true,
  help: "a TLS certificate in PEM, for https without a proxy",
};

export const key: Option = {
  name: "key",
  valueName: "FILE",
  inEnvironment: true,
  help: "the private key of that certificate",
};

export const redirectUri: Option = {
  name: "redirect-uri",
  valueName: "URI",
  inEnvironment: true,
  repeatable: true,
  help: "another redirect URI for the demo clients; may be repeated",
  problem: (value) => redirectUriProblem(value, true),
};

export const anyClient: Option = {
  name: "any-client",
  inEnvironment: true,
  help: "turn every unknown client_id into a client",
};

export const signIn: Option = {
  name: "sign-in",
  valueName: "NAME",
  inEnvironment: true,
  help: "sign this user in at every authorization request, without any page",
};

export const signInByHint: Option = {
  name: "sign-in-by-hint",
  inEnvironment: true,
  help: "sign in the user of a login_hint, without any page",
};

export const provider: Option = {
  name: "provider",
  valueName: "NAME",
  inEnvironment: true,
  repeatable: true,
  help: "play this provider, such as github, or a FILE.json of hallpass clone; repeat it for " +
    "several, each below /t/NAME: the start prints their issuers",
};

export const tokenFile: Option = {
  name: "token-file",
  valueName: "PATH",
  inEnvironment: true,
  help: "keep the token of a program in this file, as the platform does: " +
    "with --provider kubernetes or github-actions",
};

export const enterprise: Option = {
  name: "enterprise",
  inEnvironment: true,
  help: "play a company as well: its identity provider at /t/company, trusted by the MCP server",
};

export const compat: Option = {
  name: "compat",
  valueName: "NAME",
  inEnvironment: true,
  help:
    "play mock-oauth2-server: /{issuer}/token and the rest, with the settings of JSON_CONFIG, " +
    "on port 8080",
  problem: oneOf(["mock-oauth2-server"]),
};

export const tls: Option = {
  name: "tls",
  inEnvironment: true,
  help: "listen on https: make a certificate for one day, and write hallpass-ca.pem, " +
    "the authority to trust",
};

export const hosts: Option = {
  name: "hosts",
  inEnvironment: true,
  help:
    "have the real hosts of the providers, on https and port 443: prints what leads clients here",
};

export const expose: Option = {
  name: "expose",
  inEnvironment: true,
  help: "let other machines reach the lab; needs --lab-token",
};

export const labToken: Option = {
  name: "lab-token",
  valueName: "TOKEN",
  inEnvironment: true,
  help: "the token that protects /lab, at least 16 characters",
};

export const labPort: Option = {
  name: "lab-port",
  valueName: "N",
  inEnvironment: true,
  help: "serve /lab on this port only",
  problem: portProblem,
};

export const drillOrigin: Option = {
  name: "drill-origin",
  valueName: "ORIGIN",
  inEnvironment: true,
  repeatable: true,
  help: "another origin that a drill may visit, besides this machine; may be repeated",
  problem: (value) => isWebOrigin(value) ? undefined : "must be an origin, such as http://app:3000",
};

export const withParent: Option = {
  name: "with-parent",
  inEnvironment: true,
  help: "end with the process that started the lab, even if it was killed",
};

export const url: Option = {
  name: "url",
  valueName: "URL",
  help: "the URL of the server's /ready or /health, if the configuration does not lead there",
  problem: urlProblem,
};

export const json: Option = { name: "json", help: "print JSON" };

/** The options of `lab` and `serve`. */
export const serverOptions: readonly Option[] = [
  port,
  host,
  issuer,
  frontChannel,
  backChannel,
  store,
  config,
  profile,
  alg,
  cert,
  key,
  logForm,
  logLevel,
  metricsPort,
  metricsHost,
];

/** The options of `lab` alone. */
export const labOptions: readonly Option[] = [
  redirectUri,
  anyClient,
  provider,
  hosts,
  tokenFile,
  enterprise,
  compat,
  signIn,
  signInByHint,
  tls,
  expose,
  labToken,
  labPort,
  drillOrigin,
  withParent,
];

/** Returns the name of the environment variable for an option. */
export function variableOf({ name }: Pick<Option, "name">): string {
  return `HALLPASS_${name.toUpperCase().replaceAll("-", "_")}`;
}

function portProblem(value: string): string | undefined {
  const isPort = /^\d{1,5}$/.test(value) && Number(value) <= maxPort;
  return isPort ? undefined : `must be a port between 0 and ${maxPort}`;
}

function urlProblem(value: string): string | undefined {
  const isUrl = /^https?:\/\//.test(value) && URL.canParse(value);
  return isUrl ? undefined : "must be an http or https URL";
}

function oneOf(allowed: readonly string[]): (value: string) => string | undefined {
  const problem = `must be one of ${allowed.join(", ")}`;
  return (value) => allowed.includes(value) ? undefined : problem;
}
