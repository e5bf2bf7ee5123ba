import type { FaultName } from "../../faults/catalogue.ts";
import { type DrillVariant, variantsAfter } from "./drill_variant.ts";

const errorResponse = "OAuth 2.1, section 3.2.4";

/** A client that registered itself, and that the server no longer knows. */
export const forgottenClient: FaultName = "register.forgotten";

/** What breaks applications without an attack: bad moments of an honest server. */
export const productionVariants: readonly DrillVariant[] = [
  { fault: "token.held", expectation: "accept", see: "RFC 9700, section 4.7.1", twice: true },
  { fault: "token.lost", expectation: "accept", see: errorResponse, recovers: true, times: 1 },
  { fault: forgottenClient, expectation: "accept", see: errorResponse, recovers: true },
  ...variantsAfter("refresh", [
    { fault: "refresh.held", expectation: "accept", see: "OAuth 2.1, section 4.3.1", twice: true },
    { fault: "refresh.lost", expectation: "accept", see: errorResponse, recovers: true, times: 1 },
  ]),
];
