import type { Context } from "../../server/issuer/context.ts";
import { mint, type MintedTokens } from "./mint.ts";
import { mintCode, type MintCodeOptions, type MintedCode } from "./mint_code.ts";
import type { MintOptions } from "./mint_options.ts";

/** Issues codes and tokens without a request. */
export interface Mint {
  (options: MintCodeOptions): Promise<MintedCode>;
  (options: MintOptions): Promise<MintedTokens>;
}

/** Creates the function that mints codes and tokens, with a context for each. */
export function createMint(openContext: (state?: string) => Promise<Context>): Mint {
  function mintAny(options: MintCodeOptions): Promise<MintedCode>;
  function mintAny(options: MintOptions): Promise<MintedTokens>;
  async function mintAny(
    options: MintCodeOptions | MintOptions,
  ): Promise<MintedCode | MintedTokens> {
    if (options.kind !== "code") return await mint(await openContext(), options);
    return await mintCode(await openContext(options.state), options);
  }
  return mintAny;
}
