import { isWebOrigin } from "../../../server/util/addresses/uri.ts";
import { inLab, type Option } from "../../command_line/option.ts";

export const drillOriginOption: Option = {
  ...inLab,
  name: "drill-origin",
  sets: "drillOrigins",
  valueName: "ORIGIN",
  repeatable: true,
  help: "another origin that a drill may visit, besides this machine; may be repeated",
  problem: (value) => isWebOrigin(value) ? undefined : "must be an origin, such as http://app:3000",
};
