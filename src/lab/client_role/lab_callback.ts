import type { Context } from "../../server/issuer/context.ts";
import { type Callback, readCallback } from "../../server/protocol/callback.ts";
import { type FormParameters, toParameters } from "../../server/protocol/form_parameters.ts";
import { explainToken } from "../tokens/explain_token.ts";

/** Reads an authorization response, signed or not. */
export async function readLabCallback(
  ctx: Context,
  parameters: FormParameters,
): Promise<Callback> {
  const response = parameters.get("response");
  if (response === undefined) return readCallback(parameters);
  const token = await explainToken({ context: ctx }, response);
  const problem = signatureProblem(token?.signature.tone) ?? validityProblem(token?.jwt.validity);
  if (!token || problem !== undefined) {
    const errorDescription = `The signed response is invalid: ${problem}`;
    return { hasError: true, error: "invalid_request", errorDescription };
  }
  const members = Object.entries(token.jwt.claims).filter(([, value]) => typeof value === "string");
  return readCallback(toParameters(members.map(([name, value]) => [name, String(value)] as const)));
}

/** The client verifies the signature before it uses the response (JARM, section 2.4). */
function signatureProblem(tone: string | undefined): string | undefined {
  return tone === "good" ? undefined : "its signature is not one of this server.";
}

function validityProblem(
  validity: { tone: string; text: string } | undefined,
): string | undefined {
  return validity?.tone === "good" ? undefined : validity?.text;
}
