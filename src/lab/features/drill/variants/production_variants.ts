import type { FaultName } from "../../faults/catalogue.ts";
import type { DrillVariant } from "./drill_variant.ts";
import { accept } from "./make_variants.ts";

/** A client that registered itself, and that the server no longer knows. */
export const forgottenClient: FaultName = "register.forgotten";

const recovers = { recovers: true } as const;
const once = { recovers: true, times: 1 } as const;

/** What breaks applications without an attack: bad moments of an honest server, so no rule. */
export const productionVariants: readonly DrillVariant[] = [
  ...accept("advice", "binding", ["token.held"], { twice: true }),
  ...accept("advice", "tokenErrors", ["token.lost"], once),
  ...accept("advice", "tokenErrors", [forgottenClient], recovers),
  ...accept("advice", "refreshReplaced", ["refresh.held"], { after: "refresh", twice: true }),
  ...accept("advice", "tokenErrors", ["refresh.lost"], { ...once, after: "refresh" }),
];
