import { once } from "../../server/util/time/promises.ts";
import type { EvaluateTools } from "../control/evaluation.ts";
import type { CoreTools } from "../core/core_lab.ts";
import type { LabParts } from "../handling/lab_parts.ts";
import { createMint } from "../tokens/create_mint.ts";
import { withChosenValues } from "../values/choose_values.ts";

const loadEvaluate = once(() => import("../evaluate/evaluate.ts"));

/** Creates the tools that issue tokens, or show them, without a request of a client. */
export function createLabTokens(parts: LabParts): EvaluateTools & Pick<CoreTools, "mint"> {
  const { server, values, dialect, powers, admission } = parts;
  return {
    mint: createMint(async ({ client, redirectUri, state }) => {
      await server.settled();
      const { context } = server.current();
      if (powers().anyClient && client !== undefined) {
        await admission.admitNamed(context, client, redirectUri);
      }
      return withChosenValues(context, values, state);
    }, dialect),
    async evaluate(options) {
      const { evaluate } = await loadEvaluate();
      return await evaluate(parts, options);
    },
  };
}
