import type { ClientConfig } from "../../../server/features.ts";
import { type DrillVariant, refuse } from "../drill/variants/drill_variant.ts";

/** What can go wrong with an ID-JAG. The server that it is for refuses it, so no tool is called. */
export const idJagVariants: readonly DrillVariant[] = refuse("rule", "idJag", [
  "id_jag.refused",
  "id_jag.wrong_iss",
  "id_jag.wrong_aud",
  "id_jag.wrong_client",
  "id_jag.wrong_resource",
  "id_jag.expired",
  "id_jag.foreign_signature",
]);

/** Returns what can go wrong at a server with these clients, which may issue ID-JAGs to one. */
export function idJagVariantsFor(clients: readonly ClientConfig[]): readonly DrillVariant[] {
  return clients.some(({ idJag }) => idJag !== undefined) ? idJagVariants : [];
}
