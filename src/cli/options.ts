import { profileNames } from "../config/profiles/profiles.ts";
import { signingAlgorithms } from "../model/signing.ts";
import { redirectUriProblem } from "../protocol/redirect_uri.ts";

/** Something that can be said on the command line. */
export interface Option {
  name: string;
  /** What the value is called in the help; an option without a value is a switch. */
  value?: string;
  /** May be said more than once; in the environment, with spaces between. */
  repeatable?: boolean;
  /** Whether it can stand in the environment as well, as `HALLPASS_…`. */
  inherited?: boolean;
  help: string;
  /** Says what is wrong with a value. */
  problem?: (value: string) => string | undefined;
}

export const port: Option = {
  name: "port",
  value: "N",
  inherited: true,
  help: "where to listen; 0 picks a free port (default 9000; PORT counts as well)",
  problem: portProblem,
};

export const host: Option = {
  name: "host",
  value: "NAME",
  inherited: true,
  help: "the address to listen on (default localhost, IPv4 and IPv6)",
};

export const issuer: Option = {
  name: "issuer",
  value: "URL",
  inherited: true,
  help: "the issuer identifier (default http://localhost:PORT)",
  problem: urlProblem,
};

export const frontChannel: Option = {
  name: "front-channel",
  value: "URL",
  inherited: true,
  help: "where browsers find the server, if not by the issuer",
  problem: urlProblem,
};

export const backChannel: Option = {
  name: "back-channel",
  value: "URL",
  inherited: true,
  help: "where applications find it for their own requests, if not by the issuer",
  problem: urlProblem,
};

export const store: Option = {
  name: "store",
  value: "memory|sqlite:PATH",
  inherited: true,
  help: "where everything is kept (default memory)",
  problem: storeProblem,
};

export const config: Option = {
  name: "config",
  value: "FILE",
  inherited: true,
  help: "a configuration in JSON, or a .ts or .js module that exports one",
};

export const profile: Option = {
  name: "profile",
  value: "NAME",
  inherited: true,
  help: `a preset with rules: ${profileNames.join(", ")} (default ${profileNames[0]})`,
  problem: oneOf(profileNames),
};

export const alg: Option = {
  name: "alg",
  value: "ALG",
  inherited: true,
  help: `signs access tokens: ${signingAlgorithms.join(", ")} (default RS256)`,
  problem: oneOf(signingAlgorithms),
};

export const cert: Option = {
  name: "cert",
  value: "FILE",
  inherited: true,
  help: "a TLS certificate in PEM, for https without a proxy",
};
export const key: Option = {
  name: "key",
  value: "FILE",
  inherited: true,
  help: "the private key of that certificate",
};

export const redirectUri: Option = {
  name: "redirect-uri",
  value: "URI",
  inherited: true,
  repeatable: true,
  help: "one more redirect URI for the demo clients; may be repeated",
  problem: (value) => redirectUriProblem(value, true),
};

export const expose: Option = {
  name: "expose",
  inherited: true,
  help: "let other machines reach the lab; needs --lab-token",
};
export const labToken: Option = {
  name: "lab-token",
  value: "TOKEN",
  inherited: true,
  help: "the token that guards the lab's powers, at least 16 characters",
};

export const labPort: Option = {
  name: "lab-port",
  value: "N",
  inherited: true,
  help: "a port of their own for the lab's powers, which then are nowhere else",
  problem: portProblem,
};

export const url: Option = {
  name: "url",
  value: "URL",
  help: "the server's /health, if it is not where the configuration says",
  problem: urlProblem,
};
export const json: Option = { name: "json", help: "print JSON" };

/** The environment variable that says the same as an option. */
export function variableOf({ name }: Pick<Option, "name">): string {
  return `HALLPASS_${name.toUpperCase().replaceAll("-", "_")}`;
}

function portProblem(value: string): string | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65535
    ? undefined
    : "is not a port between 0 and 65535";
}

function urlProblem(value: string): string | undefined {
  return /^https?:\/\//.test(value) && URL.canParse(value)
    ? undefined
    : "is not an http or https URL";
}

function storeProblem(value: string): string | undefined {
  return value === "memory" || /^sqlite:./.test(value)
    ? undefined
    : "is neither memory nor sqlite:PATH";
}

function oneOf(allowed: readonly string[]): (value: string) => string | undefined {
  return (value) => allowed.includes(value) ? undefined : `is not one of: ${allowed.join(", ")}`;
}
