import type { ClientAbilities } from "./client_abilities.ts";

const always = () => true;

/**
 * The mistakes of a flow, to see how the server refuses each. What a server cannot notice, such as a
 * `nonce` that an application never checks, a drill finds.
 */
export const requestMistakes: ReadonlyArray<{
  name: string;
  label: string;
  /** What is wrong then. */
  help: string;
  /** The parameters of the authorization request that are wrong or missing then. */
  parameters: readonly string[];
  appliesTo(client: ClientAbilities): boolean;
}> = [
  {
    name: "pkce",
    label: "No PKCE",
    help: "Leave out the code_challenge, and the nonce that may replace it.",
    parameters: ["code_challenge", "code_challenge_method", "nonce"],
    appliesTo: always,
  },
  {
    name: "plain",
    label: "Plain PKCE",
    help: "Send the code_verifier itself as the challenge.",
    parameters: ["code_challenge", "code_challenge_method"],
    appliesTo: always,
  },
  {
    name: "verifier",
    label: "Wrong verifier",
    help: "Redeem the code with another code_verifier.",
    parameters: [],
    appliesTo: always,
  },
  {
    name: "redirect_uri",
    label: "Wrong redirect URI",
    help: "Send one that the client did not register.",
    parameters: ["redirect_uri"],
    appliesTo: always,
  },
  {
    name: "par",
    label: "Not pushed",
    help: "Send the parameters through the browser, which this client must not.",
    parameters: [],
    appliesTo: ({ requiresPar }) => requiresPar,
  },
  {
    name: "jar",
    label: "Not signed",
    help: "Send the request without the signature that this client needs.",
    parameters: [],
    appliesTo: ({ requiresJar }) => requiresJar,
  },
  {
    name: "dpop",
    label: "Not bound",
    help: "Use no key, which this client must.",
    parameters: [],
    appliesTo: ({ requiresDpop }) => requiresDpop,
  },
];

/** Returns the parameters that mistakes leave out or make wrong. */
export function brokenParameters(mistakes: readonly string[]): ReadonlySet<string> {
  const made = requestMistakes.filter(({ name }) => mistakes.includes(name));
  return new Set(made.flatMap(({ parameters }) => parameters));
}

/** Reads the mistakes in the query of a page, as far as they make a difference for the client. */
export function readMistakes(query: URLSearchParams, client: ClientAbilities): readonly string[] {
  const names = requestMistakes.filter((each) => each.appliesTo(client)).map(({ name }) => name);
  return names.filter((name) => query.getAll("mistake").includes(name));
}
