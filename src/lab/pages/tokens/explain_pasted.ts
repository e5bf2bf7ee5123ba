import type { Context } from "../../../server/issuer/context.ts";
import { type ActiveToken, findActiveToken } from "../../../server/issuer/tokens/active_tokens.ts";
import { formatScope } from "../../../server/protocol/scope.ts";
import { type ExplainedToken, explainToken } from "../../tokens/explain_token.ts";

const maxTokens = 6;

/** A JWT, wherever it is in a text: in a header, a URL, or the JSON of a token response. */
const jwtPattern = /[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*/g;

/** What was found in a text that a developer pasted. */
export interface PastedText {
  text: string;
  tokens: ExplainedToken[];
  /** What the text is, if there is no JWT in it. */
  description?: string | undefined;
}

/** Explains every JWT in a text; or else what the text is. */
export async function explainPasted(ctx: Context, text: string): Promise<PastedText> {
  const candidates = [...new Set(text.match(jwtPattern) ?? [])].slice(0, maxTokens);
  const explained = await Promise.all(candidates.map((each) => explainToken(ctx, each)));
  const tokens = explained.filter((each) => each !== undefined);
  if (tokens.length > 0) return { text, tokens };
  return { text, tokens, description: await describeText(ctx, text.trim()) };
}

async function describeText(ctx: Context, text: string): Promise<string> {
  if (text === "") return "Paste a token first.";
  const found = await findActiveToken(ctx, text);
  if (found) return describeActiveToken(found);
  if (text.split(".").length === 5) {
    return "This is an encrypted JWT (JWE): five parts, of which only its receiver reads more.";
  }
  if (await ctx.records.codes.get(text)) return "This is an authorization code of this lab.";
  return "This is no JWT, and no active token of this lab: it is opaque, expired, spent or foreign.";
}

function describeActiveToken(token: ActiveToken): string {
  const { kind, client } = token;
  const scope = token.kind === "access" ? token.claims.scope : formatScope(
    token.active.authorization.scope,
  );
  return `This is an active ${kind} token of the client '${client.id}', with the scope '${scope}'.`;
}
