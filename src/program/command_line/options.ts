import { profileNames } from "../../server/config/profiles/profiles.ts";
import { signingAlgorithms } from "../../server/model/signing.ts";
import { logLevels } from "../monitoring/event_level.ts";
import { logForms } from "../monitoring/log.ts";
import { oneOf, type Option, portProblem, urlProblem } from "./option.ts";
import { storeForms, storeProblem } from "./store_name.ts";

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
