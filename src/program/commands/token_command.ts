import { isObject } from "../../server/util/text/json.ts";
import { nearestName } from "../../server/util/text/nearest_name.ts";
import {
  type Command,
  type Invocation,
  operandOf,
  type Option,
  valueOf,
} from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { json, tokenClient, tokenScope } from "../command_line/options.ts";
import { askLab, fetchMetadata, refusalIn, runningLabOptions } from "../lab_client/running_lab.ts";
import { failure, success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";

const tokenAudience: Option = {
  name: "audience",
  valueName: "NAME",
  help: "the API that the token is for (default: the default resource, or the client)",
};

/** Issues a token of a running lab. */
export const token: Command = {
  name: "token",
  operandName: "USER",
  help: "prints an access token from a running lab, for a user or for the client itself",
  examples: [
    "hallpass token alice",
    'hallpass token alice --scope "openid read" --client demo-spa',
  ],
  options: [...runningLabOptions, tokenScope, tokenClient, tokenAudience, json],
  async run(invocation, terminal) {
    const user = operandOf(invocation, "USER");
    const users = await fetchUsers(invocation);
    const isKnown = users === undefined || users.includes(user);
    // An unknown user may be a client, which gets a token without a user.
    const client = valueOf(invocation, "client") ?? (isKnown ? undefined : user);
    const scope = valueOf(invocation, "scope");
    const problem = scope && await findScopeProblem(invocation, scope);
    if (problem) {
      terminal.printError(problem);
      return failure;
    }
    const audience = valueOf(invocation, "audience");
    const body = await askLab(invocation, "/tokens", { sub: user, scope, client, audience });
    if (isKnown || (client === user && isToken(body))) {
      return printToken(invocation, terminal, body);
    }
    terminal.printError(unknownUser(user, users));
    return failure;
  },
};

/** Returns the names and subjects of the users, or undefined if the lab does not list them. */
async function fetchUsers(invocation: Invocation): Promise<string[] | undefined> {
  const users = await askLab(invocation, "/users");
  if (!Array.isArray(users)) return undefined;
  return users.filter(isObject).flatMap(({ name, sub }) => [name, sub])
    .filter((each) => typeof each === "string");
}

/**
 * Returns why the lab refuses a scope in a flow, or undefined. It signs tokens with any, so a
 * misspelled one would go unnoticed.
 */
async function findScopeProblem(
  invocation: Invocation,
  scope: string,
): Promise<string | undefined> {
  const supported = await fetchScopes(invocation);
  const unknown = supported && scope.split(" ").find((token) => !supported.includes(token));
  if (unknown === undefined) return undefined;
  return `The lab refuses the scope '${unknown}'. It must be one of: ${supported?.join(" ")}`;
}

/** Returns the scopes of the lab, or undefined if it takes any, or its metadata lists none. */
async function fetchScopes(invocation: Invocation): Promise<string[] | undefined> {
  const settings = await askLab(invocation, "/settings");
  if (isObject(settings) && settings.anyScope === true) return undefined;
  const metadata = await fetchMetadata(invocation);
  const scopes = isObject(metadata) ? metadata.scopes_supported : undefined;
  return Array.isArray(scopes) ? scopes.map(String) : undefined;
}

/** A lab signs tokens for any subject, so that a misspelled name would go unnoticed. */
function unknownUser(typed: string, users: readonly string[]): string {
  const nearest = nearestName(typed, users);
  const suggestion = nearest ? ` Did you mean '${nearest}'?` : "";
  return `The lab has no user '${typed}'.${suggestion} Its users: ${users.join(", ") || "none"}`;
}

function isToken(body: unknown): body is { access_token: string } {
  return isObject(body) && typeof body.access_token === "string";
}

/** Prints the token alone, so that a shell can use it, or the whole response. */
function printToken({ values }: Invocation, terminal: Terminal, body: unknown): number {
  if (isToken(body)) {
    terminal.print(values.has("json") ? printableJson(body) : body.access_token);
    return success;
  }
  terminal.printError(refusalIn(body));
  return failure;
}
