import { messageOf } from "../../server/util/text/error_message.ts";
import { isObject, parseJson } from "../../server/util/text/json.ts";
import { type Command, type Invocation, operandOf, valueOf } from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { json, labToken, labUrl, tokenClient, tokenScope } from "../command_line/options.ts";
import { failure, success } from "../terminal/exit_code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** How long the lab may take to respond, in milliseconds. */
const timeout = 10_000;
const defaultLab = "http://localhost:9000";

/** Issues a token of a running lab. */
export const token: Command = {
  name: "token",
  operandName: "USER",
  help: "prints an access token of a running lab, for a user or for a client's own use",
  examples: [
    "hallpass token alice",
    'hallpass token alice --scope "openid read" --client demo-spa',
  ],
  options: [labUrl, tokenScope, tokenClient, labToken, json],
  async run(invocation, terminal) {
    const address = valueOf(invocation, "lab") ?? defaultLab;
    const url = `${address.replace(/\/$/, "")}/lab/tokens`;
    try {
      const response = await fetch(url, requestOf(invocation));
      return printToken(invocation, terminal, parseJson(await response.text()));
    } catch (cause) {
      terminal.printError(`No lab responds at ${url}: ${messageOf(cause)}`);
      return failure;
    }
  },
};

function requestOf(invocation: Invocation): RequestInit {
  const token = valueOf(invocation, "lab-token");
  return {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...token !== undefined && { Authorization: `Bearer ${token}` },
    },
    body: JSON.stringify({
      sub: operandOf(invocation, "USER"),
      scope: valueOf(invocation, "scope"),
      client: valueOf(invocation, "client"),
    }),
    signal: AbortSignal.timeout(timeout),
    redirect: "error",
  };
}

/** Prints the token alone, so that a shell can use it, or the whole response. */
function printToken({ values }: Invocation, terminal: Terminal, body: unknown): number {
  if (isObject(body) && typeof body.access_token === "string") {
    terminal.print(values.has("json") ? printableJson(body) : body.access_token);
    return success;
  }
  const description = isObject(body) ? body.error_description : undefined;
  terminal.printError(String(description ?? "The response is not that of a lab."));
  return failure;
}
