import { redirectUriProblem } from "../protocol/redirect_uri.ts";
import { signingAlgorithms } from "../protocol/signing.ts";

export type Command = "lab" | "serve";

/** Something that can be said on the command line, or in the environment as `HALLPASS_…`. */
export interface Option {
  name: OptionName;
  /** What the value is called in the help; an option without a value is a switch. */
  value?: string;
  /** May be said more than once; in the environment, with spaces between. */
  repeatable?: boolean;
  commands: readonly Command[];
  help: string;
  /** Says what is wrong with a value. */
  problem?: (value: string) => string | undefined;
}

export type OptionName =
  | "port"
  | "host"
  | "issuer"
  | "store"
  | "config"
  | "alg"
  | "cert"
  | "key"
  | "redirect-uri"
  | "expose"
  | "lab-token";

const both: readonly Command[] = ["lab", "serve"];
const lab: readonly Command[] = ["lab"];

/** Every option there is, in the order of the help. */
export const options: readonly Option[] = [
  {
    name: "port",
    value: "N",
    commands: both,
    help: "where to listen; 0 picks a free port (default 9000; PORT counts as well)",
    problem: portProblem,
  },
  { name: "host", value: "NAME", commands: both, help: "the address to listen on (default localhost, IPv4 and IPv6)" },
  { name: "issuer", value: "URL", commands: both, help: "the issuer identifier (default http://localhost:PORT)", problem: urlProblem },
  { name: "store", value: "memory|sqlite:PATH", commands: both, help: "where everything is kept (default memory)", problem: storeProblem },
  { name: "config", value: "FILE", commands: both, help: "a configuration in JSON, or a .ts or .js module that exports one" },
  { name: "alg", value: "ALG", commands: both, help: `signs tokens: ${signingAlgorithms.join(", ")} (default RS256)`, problem: algProblem },
  { name: "cert", value: "FILE", commands: both, help: "a TLS certificate in PEM, for https without a proxy" },
  { name: "key", value: "FILE", commands: both, help: "the private key of that certificate" },
  {
    name: "redirect-uri",
    value: "URI",
    repeatable: true,
    commands: lab,
    help: "one more redirect URI for the demo clients; may be repeated",
    problem: (value) => redirectUriProblem(value, true),
  },
  { name: "expose", commands: lab, help: "let other machines reach the lab; needs --lab-token" },
  { name: "lab-token", value: "TOKEN", commands: lab, help: "the token that guards the lab's powers" },
];

function portProblem(value: string): string | undefined {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65535 ? undefined : "is not a port between 0 and 65535";
}

function urlProblem(value: string): string | undefined {
  return /^https?:\/\//.test(value) && URL.canParse(value) ? undefined : "is not an http or https URL";
}

function storeProblem(value: string): string | undefined {
  return value === "memory" || /^sqlite:./.test(value) ? undefined : "is neither memory nor sqlite:PATH";
}

function algProblem(value: string): string | undefined {
  return signingAlgorithms.some((alg) => alg === value) ? undefined : `is not one of: ${signingAlgorithms.join(", ")}`;
}
