import type { ClientConfig } from "../../../../server/features.ts";
import { idJagVariantsFor } from "../../exchange/drill.ts";
import { mcpVariants } from "../../mcp/drill.ts";
import type { DrillVariant } from "./drill_variant.ts";

/** What can go wrong for a client of the Model Context Protocol at any server. */
const ofEveryServer: ReadonlyArray<readonly DrillVariant[]> = [
  mcpVariants,
];

/** What can go wrong for one at a server with some clients. */
const ofClients: ReadonlyArray<(clients: readonly ClientConfig[]) => readonly DrillVariant[]> = [
  idJagVariantsFor,
];

/** Returns what can go wrong for such a client, at a server with these clients. */
export function mcpVariantsFor(clients: readonly ClientConfig[]): readonly DrillVariant[] {
  return [...ofEveryServer.flat(), ...ofClients.flatMap((variantsFor) => variantsFor(clients))];
}
