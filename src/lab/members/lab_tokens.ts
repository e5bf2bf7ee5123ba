import type { CoreTools } from "../core/core_lab.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { mintingContext } from "../layers/choosers.ts";
import type { RequestLayers } from "../layers/layer.ts";
import { createMint } from "../tokens/create_mint.ts";

/** Creates the tool that issues tokens without a request of a client. */
export function createLabTokens(
  parts: LabParts,
  layers: readonly RequestLayers[],
): Pick<CoreTools, "mint"> {
  const { server, dialect } = parts;
  return {
    mint: createMint(async ({ client, redirectUri, state }) => {
      await server.settled();
      const { context } = server.current();
      for (const { admitNamed } of layers) {
        if (client !== undefined) await admitNamed?.(context, client, redirectUri);
      }
      return mintingContext(context, layers, state);
    }, dialect),
  };
}
