import { featureInterfaces } from "../../feature_interfaces.ts";
import type { Lab } from "../../lab.ts";
import { placeEntries } from "../../util/lists.ts";
import type { LabArea } from "../page/feature_interface.ts";
import type { ShownArea } from "../page/lab_page.ts";

const coreAreas: ReadonlyArray<LabArea<Lab>> = [
  { name: "home", label: "Home" },
  { name: "flows", label: "Flows", count: (lab) => lab.flows().length },
  { name: "tokens", label: "Tokens" },
  { name: "setup", label: "Setup" },
];

const areas = placeEntries(coreAreas, featureInterfaces.flatMap(({ area = [] }) => area));

/** Returns the entries of the top bar, with how much there is to see, or without. */
export function shownAreas(lab: Lab, hasCounts: boolean): ShownArea[] {
  return areas.map(({ name, label, count }) => ({
    name,
    label,
    count: hasCounts ? count?.(lab) : undefined,
  }));
}
