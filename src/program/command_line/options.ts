import { profileNames } from "../../server/config/profiles/profiles.ts";
import { signingAlgorithms } from "../../server/model/signing.ts";
import { logLevels } from "../monitoring/event_level.ts";
import { logForms } from "../monitoring/log.ts";
import {
  oneOf,
  type Option,
  portProblem,
  storeForms,
  storeProblem,
  urlProblem,
} from "./command.ts";

const inAddresses = { group: "Addresses", inEnvironment: true } as const;
export const inData = { group: "Settings and data", inEnvironment: true } as const;
const inLog = { group: "Log and metrics", inEnvironment: true } as const;

export const port: Option = {
  ...inAddresses,
  name: "port",
  sets: "port",
  valueName: "N",
  convert: Number,
  help: "the port to listen on; 0 picks a free one (default 9000, with --hosts 443; " +
    "PORT works as well)",
  problem: portProblem,
};

/** The port of a server that need not run, on whose store a command works. */
export const serverPort: Option = {
  ...port,
  help: "the port of the server, if it has no issuer (default 9000; PORT works as well)",
};

export const host: Option = {
  ...inAddresses,
  name: "host",
  sets: "host",
  valueName: "NAME",
  help: "the address to listen on (default localhost, IPv4 and IPv6)",
};

export const issuer: Option = {
  ...inAddresses,
  name: "issuer",
  sets: "issuer",
  valueName: "URL",
  help: "the issuer identifier (default http://localhost:PORT)",
  problem: urlProblem,
};

export const labUrl: Option = {
  name: "lab",
  valueName: "URL",
  help: "the address of the running lab (default: on this machine, at --port)",
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

export const store: Option = {
  ...inData,
  name: "store",
  sets: "store",
  valueName: "STORE",
  help: `where to store everything: ${storeForms} (default memory)`,
  mayHoldPassword: true,
  problem: storeProblem,
};

export const logFile: Option = {
  name: "log-file",
  valueName: "FILE",
  help: "the log of the server, in either format; - is standard input",
};

export const config: Option = {
  ...inData,
  name: "config",
  valueName: "FILE",
  help: "a configuration in JSON, or a .ts or .js module that exports one",
};

export const metricsPort: Option = {
  ...inLog,
  name: "metrics-port",
  sets: "metricsPort",
  valueName: "N",
  convert: Number,
  help: "serve /metrics for Prometheus and /ready for probes on this port; 0 picks a free one",
  problem: portProblem,
};

export const metricsHost: Option = {
  ...inLog,
  name: "metrics-host",
  sets: "metricsHost",
  valueName: "NAME",
  help: "the address to listen on for --metrics-port (default localhost)",
};

export const profile: Option = {
  ...inData,
  name: "profile",
  sets: "profile",
  valueName: profileNames.join("|"),
  help: `a preset of rules (default ${profileNames[0]})`,
  problem: oneOf(profileNames),
};

export const mtlsPort: Option = {
  ...inAddresses,
  name: "mtls-port",
  sets: "mtlsPort",
  valueName: "N",
  convert: Number,
  help: "the port for clients that connect with a certificate; 0 picks a free one " +
    "(not with the binary or on Bun)",
  problem: portProblem,
};

export const mtlsCa: Option = {
  ...inAddresses,
  name: "mtls-ca",
  sets: "mtlsCa",
  valueName: "FILE",
  help: "the authorities that vouch for clients, in PEM",
};

export const url: Option = {
  name: "url",
  valueName: "URL",
  help: "the URL of the server's /ready or /health, if the configuration does not lead there",
  problem: urlProblem,
};

export const json: Option = { name: "json", help: "print JSON" };

export const serverOptions: readonly Option[] = [
  port,
  host,
  issuer,
  {
    ...inAddresses,
    name: "front-channel",
    sets: "frontChannelUrl",
    valueName: "URL",
    help: "the address for browsers, if it is not the issuer",
    problem: urlProblem,
  },
  {
    ...inAddresses,
    name: "back-channel",
    sets: "backChannelUrl",
    valueName: "URL",
    help: "the address for applications, if it is not the issuer",
    problem: urlProblem,
  },
  store,
  config,
  profile,
  {
    ...inData,
    name: "alg",
    sets: "alg",
    valueName: signingAlgorithms.join("|"),
    help: "the algorithm that signs access tokens (default RS256)",
    problem: oneOf(signingAlgorithms),
  },
  {
    ...inAddresses,
    name: "cert",
    sets: "cert",
    valueName: "FILE",
    help: "a TLS certificate in PEM, for https without a proxy",
  },
  {
    ...inAddresses,
    name: "key",
    sets: "key",
    valueName: "FILE",
    help: "the private key of that certificate",
  },
  mtlsPort,
  {
    ...inAddresses,
    name: "mtls-host",
    sets: "mtlsHost",
    valueName: "NAME",
    help: "the address to listen on for --mtls-port (default --host)",
  },
  {
    ...inAddresses,
    name: "mtls-cert",
    sets: "mtlsCert",
    valueName: "FILE",
    help: "the TLS certificate of that port, in PEM (default --cert)",
  },
  {
    ...inAddresses,
    name: "mtls-key",
    sets: "mtlsKey",
    valueName: "FILE",
    help: "the private key of that certificate (default --key)",
  },
  mtlsCa,
  {
    ...inLog,
    name: "log",
    sets: "log",
    valueName: logForms.join("|"),
    help: "the format of the log (default text)",
    problem: oneOf(logForms),
  },
  {
    ...inLog,
    name: "log-level",
    sets: "logLevel",
    valueName: logLevels.join("|"),
    help: "the lowest level of events to log (default info)",
    problem: oneOf(logLevels),
  },
  metricsPort,
  metricsHost,
];
