import type { ClientConfig } from "../../../../server/features.ts";
import { nearestName } from "../../../../server/util/text/nearest_name.ts";
import { LabError, unknownName } from "../../../util/lab_error.ts";
import type { FaultName } from "../../faults/catalogue.ts";
import { leftOutReason } from "./attack_advice.ts";
import { featureRows } from "./feature_rows.ts";
import {
  forgottenClient,
  idTokenVariants,
  newAttackVariants,
  productionVariants,
  responseVariants,
  sessionVariants,
  tokenVariants,
} from "./login_variants.ts";
import type { DrillRow, FeatureRows } from "./rows.ts";

/** What can go wrong in a login and after it, and what an application must do with it. */
export const drillVariants: readonly DrillRow[] = [
  ...responseVariants,
  ...tokenVariants,
  ...idTokenVariants,
  ...newAttackVariants,
  ...sessionVariants,
  ...rowsOf("login", ({ isFor }) => isFor === undefined),
  ...productionVariants,
];

/** What can go wrong at any server. */
export const variantsOfEveryServer: readonly DrillRow[] = [
  ...drillVariants,
  ...mcpVariantsFor([]),
];

/** Returns what can go wrong in a login at a server with these clients. */
export function loginVariantsFor(clients: readonly ClientConfig[]): readonly DrillRow[] {
  return [
    ...drillVariants,
    ...rowsOf("login", ({ isFor }) => isFor !== undefined && clients.some(isFor)),
  ];
}

/** Returns what can go wrong for a client of the Model Context Protocol, at such a server. */
export function mcpVariantsFor(clients: readonly ClientConfig[]): readonly DrillRow[] {
  const own = rowsOf("mcp", ({ isFor }) => isFor === undefined || clients.some(isFor));
  return [...own, ...productionVariants.filter(({ fault }) => fault === forgottenClient)];
}

export function selectVariants(
  only: readonly FaultName[] | undefined,
  variants: readonly DrillRow[],
): readonly DrillRow[] {
  if (!only) return variants;
  const names = variants.map(({ fault }) => fault);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownVariant(String(unknown), names);
  return variants.filter(({ fault }) => only.includes(fault));
}

function rowsOf(kind: FeatureRows["of"], isMeant: (each: FeatureRows) => boolean): DrillRow[] {
  return featureRows.filter((each) => each.of === kind && isMeant(each))
    .flatMap(({ rows }) => rows);
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
