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
    const ctx = await openContext(named);
    return options.kind === "code"
      ? await mintCode(ctx, options)
      : await mint(ctx, options, translator);
  }
  return mintAny;
}
