import type { CoreLab } from "../../core/core_lab.ts";
import { type ExplainedToken, explainToken } from "../../tokens/explain_token.ts";
import type { MintedTokens } from "../../tokens/mint.ts";
import type { MintKind, MintOptions } from "../../tokens/mint_options.ts";
import { objectField, textField, withoutUndefined, wordsField } from "../parts/read_form.ts";

/** What a form of the page "Tokens" minted. */
export interface MintedResult {
  tokens: MintedTokens;
  /** Each JWT of the response, by the name of its member. */
  explained: Array<readonly [name: string, token: ExplainedToken]>;
  /** The same call of the interface over HTTP. */
  options: MintOptions;
}

/** Mints what a form describes. */
export async function mintFromForm(lab: CoreLab, form: URLSearchParams): Promise<MintedResult> {
  const options = readMintForm(form);
  const tokens = await lab.mint(options);
  const members = [...Object.entries(tokens)].filter(([name]) => name !== "token");
  const explained = await Promise.all(members.map(async ([name, value]) => {
    const token = typeof value === "string" ? await explainToken(lab, value) : undefined;
    return token && [name, token] as const;
  }));
  return { tokens, options, explained: explained.filter((each) => each !== undefined) };
}

function readMintForm(form: URLSearchParams): MintOptions {
  const kind = textField(form, "kind") as MintKind | undefined;
  const audience = wordsField(form, "audience");
  const options = {
    sub: textField(form, "sub") ?? "",
    kind: kind === "access" ? undefined : kind,
    client: textField(form, "client"),
    scope: textField(form, "scope"),
    audience: audience?.length === 1 ? audience[0] : audience,
    expiresIn: textField(form, "expiresIn"),
    claims: objectField(form, "claims", "Additional claims"),
    header: objectField(form, "header", "Header"),
    omit: wordsField(form, "omit"),
  };
  return withoutUndefined(options) as MintOptions;
}
