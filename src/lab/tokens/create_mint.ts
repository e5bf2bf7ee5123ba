import type { Context } from "../../server/issuer/context.ts";
import { mint, type MintedTokens, type TokenDialect } from "./mint.ts";
import { mintCode, type MintCodeOptions, type MintedCode } from "./mint_code.ts";
import type { MintOptions } from "./mint_options.ts";

/** Issues codes and tokens without a request. */
export interface Mint {
  (options: MintCodeOptions): Promise<MintedCode>;
  (options: MintOptions): Promise<MintedTokens>;
}

/** What a test names that a request would name. */
type NamedByTest = Pick<MintCodeOptions, "client" | "redirectUri" | "state">;

/** Lets random credentials have the form of a dialect, unless a test chose their values. */
function withForms(ctx: Context, dialect: TokenDialect | undefined): Context {
  if (!dialect) return ctx;
  const formed = dialect.chooser(ctx);
  const { chooseCredential: chosen } = ctx;
  return {
    ...ctx,
    chooseCredential: async (...wanted) => await chosen?.(...wanted) ?? await formed(...wanted),
  };
}

/** Creates the function that mints codes and tokens, with a context for each. */
export function createMint(
  openContext: (options: NamedByTest) => Promise<Context>,
  dialect?: () => Promise<TokenDialect>,
): Mint {
  function mintAny(options: MintCodeOptions): Promise<MintedCode>;
  function mintAny(options: MintOptions): Promise<MintedTokens>;
  async function mintAny(
    options: MintCodeOptions | MintOptions,
  ): Promise<MintedCode | MintedTokens> {
    const translator = await dialect?.();
    const named = options.kind === "code" ? options : { client: options.client };
    const ctx = withForms(await openContext(named), translator);
    return options.kind === "code"
      ? await mintCode(ctx, options)
      : await mint(ctx, options, translator);
  }
  return mintAny;
}
