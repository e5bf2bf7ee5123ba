// Written by `deno task generate`, from the folders of the features.
import { logoutTokenRows } from "../../backchannel_logout/drill.ts";
import { encryptionRows } from "../../jwe/drill.ts";
import { logoutRows } from "../../logout/drill.ts";
import { mcpRows } from "../../mcp/drill.ts";
import { idJagRows } from "../../token_exchange/drill.ts";
import type { FeatureRows } from "./rows.ts";

/** What the features of a lab add to the drill of an application. */
export const featureRows: readonly FeatureRows[] = [
  ...logoutTokenRows,
  ...encryptionRows,
  ...logoutRows,
  ...mcpRows,
  ...idJagRows,
];
