import type { ClientConfig } from "../../../../server/features.ts";
import { nearestName } from "../../../../server/util/text/nearest_name.ts";
import { LabError, unknownName } from "../../../util/lab_error.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import { encryptionVariantsFor } from "../../jwe/drill.ts";
import { mcpVariants } from "../../mcp/drill.ts";
import { idJagVariantsFor } from "../../token_exchange/drill.ts";
import { leftOutReason } from "./attack_advice.ts";
import type { DrillVariant } from "./drill_variant.ts";
import {
  forgottenClient,
  idTokenVariants,
  newAttackVariants,
  productionVariants,
  responseVariants,
  sessionVariants,
  tokenVariants,
} from "./login_variants.ts";

/** What can go wrong in a login and after it, and what an application must do with it. */
export const drillVariants: readonly DrillVariant[] = [
  ...responseVariants,
  ...tokenVariants,
  ...idTokenVariants,
  ...newAttackVariants,
  ...sessionVariants,
  ...productionVariants,
];

/** What can go wrong in a login only at a server with some clients. */
const ofClients: ReadonlyArray<(clients: readonly ClientConfig[]) => readonly DrillVariant[]> = [
  encryptionVariantsFor,
];

/** What can go wrong for a client of the Model Context Protocol at any server. */
const ofEveryServer: ReadonlyArray<readonly DrillVariant[]> = [
  mcpVariants,
  productionVariants.filter(({ fault }) => fault === forgottenClient),
];

/** What can go wrong for one at a server with some clients. */
const ofMcpClients: ReadonlyArray<(clients: readonly ClientConfig[]) => readonly DrillVariant[]> = [
  idJagVariantsFor,
];

/** What can go wrong at any server. */
export const variantsOfEveryServer: readonly DrillVariant[] = [
  ...drillVariants,
  ...ofEveryServer.flat(),
];

/** Returns what can go wrong in a login at a server with these clients. */
export function loginVariantsFor(clients: readonly ClientConfig[]): readonly DrillVariant[] {
  return [...drillVariants, ...ofClients.flatMap((variantsFor) => variantsFor(clients))];
}

/** Returns what can go wrong for a client of the Model Context Protocol, at such a server. */
export function mcpVariantsFor(clients: readonly ClientConfig[]): readonly DrillVariant[] {
  return [...ofEveryServer.flat(), ...ofMcpClients.flatMap((variantsFor) => variantsFor(clients))];
}

export function selectVariants(
  only: readonly FaultName[] | undefined,
  variants: readonly DrillVariant[],
): readonly DrillVariant[] {
  if (!only) return variants;
  const names = variants.map(({ fault }) => fault);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownVariant(String(unknown), names);
  return variants.filter(({ fault }) => only.includes(fault));
}

function unknownVariant(name: string, names: readonly string[]): LabError {
  const reason = leftOutReason(name);
  const nearest = nearestName(name, names);
  if (reason === undefined && nearest !== undefined) {
    return new LabError(`There is no login variant '${name}'. Did you mean '${nearest}'?`);
  }
  if (reason === undefined) return unknownName("login variant", name, names);
  return new LabError(`A drill does not try '${name}'. ${reason}`);
}
