import { type FeatureRows, refuse } from "../drill/variants/rows.ts";

/** What can go wrong with an ID-JAG. The server that it is for refuses it, so no tool is called. */
export const idJagRows: readonly FeatureRows[] = [{
  of: "mcp",
  isFor: ({ idJag }) => idJag !== undefined,
  rows: refuse("must", "idJag", [
    "id_jag.refused",
    "id_jag.wrong_iss",
    "id_jag.wrong_aud",
    "id_jag.wrong_client",
    "id_jag.wrong_resource",
    "id_jag.expired",
    "id_jag.foreign_signature",
  ], { requirement: "mcp.protocol" }),
}];
