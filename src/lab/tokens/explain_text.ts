import type { Context } from "../../server/issuer/context.ts";
import { isEncryptedJwt } from "../../server/protocol/jwt.ts";
import { identifyValue, type KnownValue } from "../recording/presented_values.ts";
import { type ExplainedToken, explainToken, type TokenIssuer } from "./explain_token.ts";

const maxTokens = 6;

/** A JWT, wherever it is in a text: in a header, a URL, or the JSON of a token response. */
const jwtPattern = /[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;

/** What was found in a text that a developer pasted. */
export interface ExplainedText {
  tokens: ExplainedToken[];
  /** What the text is, if there is no JWT in it. */
  description?: string | undefined;
}

/** Explains every JWT in a text that was pasted; or else what the text is. */
export async function explainText(issuer: TokenIssuer, text: string): Promise<ExplainedText> {
  const candidates = [...new Set(text.match(jwtPattern) ?? [])].slice(0, maxTokens);
  const explained = await Promise.all(candidates.map((each) => explainToken(issuer, each)));
  const tokens = explained.filter((each) => each !== undefined);
  if (tokens.length > 0) return { tokens };
  return { tokens, description: await describeText(issuer.context, text.trim()) };
}

async function describeText(ctx: Context, text: string): Promise<string> {
  if (text === "") return "Paste a token first.";
  const known = await identifyValue(ctx, text);
  if (known) return describeKnown(known);
  if (isEncryptedJwt(text)) {
    return "This is an encrypted JWT (JWE): five parts, of which only its receiver reads more.";
  }
  return "Not a JWT, and not an active token of this lab: it is opaque, expired, used or foreign.";
}

function describeKnown(known: KnownValue): string {
  if (known.kind === "code") return "This is an authorization code of this lab.";
  const { kind, clientId, scope } = known;
  return `This is an active ${kind} of the client '${clientId}', with the scope '${scope}'.`;
}
