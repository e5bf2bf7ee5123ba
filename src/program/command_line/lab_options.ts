import { redirectUriProblem } from "../../server/protocol/redirect_uri.ts";
import { isWebOrigin } from "../../server/util/addresses/uri.ts";
import { type Option, portProblem } from "./option.ts";

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

export const enterprise: Option = {
  name: "enterprise",
  inEnvironment: true,
  help: "play a company as well: its identity provider at /t/company, trusted by the MCP server",
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

/** The options of `lab` alone. */
export const labOptions: readonly Option[] = [
  redirectUri,
  anyClient,
  provider,
  hosts,
  enterprise,
  signIn,
  signInByHint,
  tls,
  expose,
  labToken,
  labPort,
  drillOrigin,
  withParent,
];
