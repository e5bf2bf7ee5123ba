import type { MintOptions } from "../tokens/mint_options.ts";
import type { Operation } from "./operation.ts";

export const tokenOperations: readonly Operation[] = [
  {
    method: "POST",
    path: "/tokens",
    summary: "Issues tokens without a flow.",
    body: { name: "MintOptions" },
    returns: "MintedTokens",
    run: (lab, { body }) => lab.mint(body as unknown as MintOptions),
  },
];
