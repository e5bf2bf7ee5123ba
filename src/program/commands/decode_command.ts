import type { ExplainedJwt, ExplainedMember } from "../../lab/tokens/explain_jwt.ts";
import { type Command, operandOf } from "../command_line/command.ts";
import { printableJson } from "../command_line/listing.ts";
import { json } from "../command_line/options.ts";
import { success } from "../terminal/exit_code.ts";
import { UsageError } from "../terminal/usage_error.ts";

/** Explains a JWT without asking any server. */
export const decode: Command = {
  name: "decode",
  operandName: "TOKEN",
  help: "explains a JWT ('-' reads it from standard input); does not verify its signature",
  examples: [
    "hallpass token alice | hallpass decode -",
  ],
  options: [json],
  async run(invocation, terminal) {
    const operand = operandOf(invocation, "TOKEN");
    const jwt = (operand === "-" ? await terminal.readInput() : operand).trim();
    const { explainJwt } = await import("../../lab/tokens/explain_jwt.ts");
    const explained = explainJwt(jwt, Date.now());
    if (!explained) {
      throw new UsageError("Not a JWT: that has three parts in base64url, separated by dots.");
    }
    const { header, claims } = explained;
    const isJson = invocation.values.has("json");
    terminal.print(isJson ? printableJson({ header, claims }) : describeJwt(explained));
    return success;
  },
};

function describeJwt(jwt: ExplainedJwt): string {
  const { name, explainedHeader, explainedClaims, validity } = jwt;
  return [
    name,
    "",
    "Header",
    ...explainedHeader.map(describeMember),
    "",
    "Claims",
    ...explainedClaims.map(describeMember),
    "",
    `${validity.text} The signature was not verified.`,
  ].join("\n");
}

function describeMember({ name, value, inWords, note }: ExplainedMember): string {
  const time = inWords === undefined ? "" : ` (${inWords})`;
  const meaning = note ? [`      ${note.says} ${note.see}`.trimEnd()] : [];
  return [`  ${name}: ${value.replaceAll("\n", "\n      ")}${time}`, ...meaning].join("\n");
}
