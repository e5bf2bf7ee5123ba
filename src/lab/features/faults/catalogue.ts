import { nearestName } from "../../../server/util/text/nearest_name.ts";
import { LabError } from "../../util/lab_error.ts";
import { type LogoutTokenFaultName, logoutTokenFaults } from "../backchannel_logout/faults.ts";
import { type CibaFaultName, cibaFaults } from "../ciba/faults.ts";
import { type EncryptionFaultName, encryptionFaults } from "../jwe/faults.ts";
import { type LogoutFaultName, logoutFaults } from "../logout/faults.ts";
import { type McpFaultName, mcpFaults } from "../mcp/faults.ts";
import { type WorkloadFaultName, workloadFaults } from "../workloads/faults.ts";
import { type CallbackFaultName, callbackFaults } from "./callback_faults.ts";
import { type ChangedFaultName, changedFaults } from "./changed_responses.ts";
import {
  type DocumentFaultName,
  documentFaults,
  type UserinfoFaultName,
} from "./document_faults.ts";
import type { FaultKind } from "./fault.ts";
import { type HeaderKeyFaultName, headerKeyFaults } from "./header_key_faults.ts";
import { type HttpFaultName, httpFaults } from "./http_faults.ts";
import { type IdJagFaultName, idJagFaults } from "./id_jag_faults.ts";
import { type JarmFaultName, jarmFaults, type JwtFaultName, jwtFaults } from "./jwt_faults.ts";
import { type KeyFaultName, keyFaults } from "./key_faults.ts";
import { type ProductionFaultName, productionFaults } from "./production_faults.ts";
import { claimFaults } from "./token_claims.ts";
import {
  type CountedFaultName,
  type RefreshFaultName,
  type TokenFaultName,
  tokenFaults,
} from "./token_faults.ts";

/** The name of a fault. */
export type FaultName =
  | HttpFaultName
  | ChangedFaultName
  | "token.claims"
  | TokenFaultName
  | RefreshFaultName
  | CountedFaultName
  | ProductionFaultName
  | JwtFaultName
  | HeaderKeyFaultName
  | CallbackFaultName
  | JarmFaultName
  | KeyFaultName
  | UserinfoFaultName
  | DocumentFaultName
  | McpFaultName
  | LogoutFaultName
  | LogoutTokenFaultName
  | CibaFaultName
  | EncryptionFaultName
  | IdJagFaultName
  | WorkloadFaultName;

const kinds: Readonly<Record<FaultName, FaultKind>> = {
  ...httpFaults(),
  ...changedFaults(),
  ...claimFaults,
  ...tokenFaults,
  ...productionFaults,
  ...jwtFaults,
  ...headerKeyFaults,
  ...callbackFaults,
  ...jarmFaults,
  ...keyFaults,
  ...documentFaults,
  ...mcpFaults,
  ...idJagFaults,
  ...logoutFaults,
  ...logoutTokenFaults,
  ...cibaFaults,
  ...encryptionFaults,
  ...workloadFaults,
};

/** Every way in which a lab can misbehave, by name. */
export const catalogue: ReadonlyMap<string, FaultKind> = new Map(Object.entries(kinds));

/** How many names a message lists: there are more than 200. */
const maxListed = 10;

/** Returns the fault with a name; throws a `LabError` if there is none. */
export function findFault(name: string): FaultKind {
  const kind = catalogue.get(name);
  if (kind) return kind;
  const names = [...catalogue.keys()];
  const nearest = nearestName(name, names);
  if (nearest !== undefined) {
    throw new LabError(`There is no fault '${name}'. Did you mean '${nearest}'?`);
  }
  const commonStart = (other: string) => {
    const at = [...other].findIndex((character, index) => character !== name[index]);
    return at < 0 ? other.length : at;
  };
  // Those come first that begin like the misspelled one.
  const listed = names.toSorted((one, other) => commonStart(other) - commonStart(one))
    .slice(0, maxListed);
  throw new LabError(`There is no fault '${name}'. ${suggestFaults(listed)}`);
}

/** Returns the error for a fault without a name. It lists one fault of each group. */
export function missingFaultName(): LabError {
  const groups = [...catalogue.keys()].map((
    name,
  ): [string, string] => [name.split(".")[0] ?? "", name]);
  const listed = [...new Map(groups.toReversed()).values()].toReversed();
  return new LabError(`A fault needs a 'name'. ${suggestFaults(listed)}`);
}

/** Lists some faults, and says where all of them are. */
function suggestFaults(listed: readonly string[]): string {
  return `Choose one of ${catalogue.size}, such as ${listed.join(", ")}. ` +
    "The page /lab/faults describes all of them, and GET /lab/faults/catalogue lists them.";
}
