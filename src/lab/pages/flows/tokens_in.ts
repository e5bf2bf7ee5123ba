import type { Context } from "../../../server/issuer/context.ts";
import { type Exchange, jsonOf } from "../../recording/exchange.ts";
import { isSecret, redacted } from "../../recording/redact_text.ts";
import { callbackIn } from "../../recording/wire_callback.ts";
import { type ExplainedToken, explainToken, type TokenIssuer } from "../../tokens/explain_token.ts";

/** A JWT of an exchange, with the parameter or header that it came in. */
export interface FoundToken {
  label: string;
  part: "request" | "response";
  token: ExplainedToken;
}

/** What may be a JWT in one part of an exchange. */
type Candidates = ReadonlyArray<readonly [label: string, value: unknown]>;

/** Decodes every JWT that an exchange contains, those of the response first. */
export async function tokensIn(issuer: TokenIssuer, exchange: Exchange): Promise<FoundToken[]> {
  const { query, form, headers } = exchange.request;
  const [, presented] = headers.authorization?.split(" ") ?? [];
  const sent: Candidates = [...query, ...form, ["Authorization", presented], [
    "DPoP",
    headers.dpop,
  ]];
  return [
    ...await decode(issuer, "response", responseCandidates(issuer.context, exchange)),
    ...await decode(issuer, "request", sent),
  ];
}

/** Hides what a decoded JWT contains: a signed response (JARM) has a code. */
export function withoutSecrets({ token, ...found }: FoundToken): FoundToken {
  const { jwt } = token;
  const explainedClaims = jwt.explainedClaims.map((claim) =>
    isSecret(claim.name) ? { ...claim, value: redacted } : claim
  );
  return { ...found, token: { ...token, jwt: { ...jwt, explainedClaims } } };
}

function responseCandidates(ctx: Context, { response }: Exchange): Candidates {
  if (!response) return [];
  const callback = callbackIn(response, ctx.settings.issuer);
  return callback?.members ?? Object.entries(jsonOf(response) ?? {});
}

async function decode(
  issuer: TokenIssuer,
  part: FoundToken["part"],
  candidates: Candidates,
): Promise<FoundToken[]> {
  const found = candidates.map(async ([label, value]) => {
    const token = typeof value === "string" ? await explainToken(issuer, value) : undefined;
    return token ? [{ label, part, token }] : [];
  });
  return (await Promise.all(found)).flat();
}
