import type { Context } from "../../server/issuer/context.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { mintingContext } from "../layers/choosers.ts";
import type { RequestLayers } from "../layers/layer.ts";
import type { MintedTokens } from "../tokens/mint.ts";
import type { MintCodeOptions, MintedCode } from "../tokens/mint_code.ts";
import type { AddedTokens, MintOptions } from "../tokens/mint_options.ts";

/** Creates the tool that issues codes and tokens without a request of a client. */
export function createLabTokens(
  { server, dialect, features }: LabParts,
  layers: readonly RequestLayers[],
) {
  const addedTokens: AddedTokens = Object.assign({}, ...features.map(({ tokens }) => tokens));

  async function openContext(
    { client, redirectUri, state }: Partial<MintCodeOptions>,
  ): Promise<Context> {
    await server.settled();
    const { context } = server.current();
    for (const { admitNamed } of layers) {
      if (client !== undefined) await admitNamed?.(context, client, redirectUri);
    }
    return mintingContext(context, layers, state);
  }

  function mintAny(options: MintCodeOptions): Promise<MintedCode>;
  function mintAny(options: MintOptions): Promise<MintedTokens>;
  async function mintAny(
    options: MintCodeOptions | MintOptions,
  ): Promise<MintedCode | MintedTokens> {
    const translator = await dialect?.();
    if (options.kind === "code") {
      const { mintCode } = await import("../tokens/mint_code.ts");
      return await mintCode(await openContext(options), options);
    }
    const { mint } = await import("../tokens/mint.ts");
    const ctx = await openContext({ client: options.client });
    return await mint(ctx, options, addedTokens, translator);
  }

  return { mint: mintAny };
}
