/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import { toneOf } from "../../findings/verdict.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { Tag } from "../../pages/parts/tag.tsx";
import { drillOperations } from "./drill_operations.ts";
import { type DrillProgress, summarizeDrill } from "./drill_result.ts";
import type { DrillInternals, DrillTools } from "./feature.ts";

/** The operations and the page of the drill. */
export const drillInterface: FeatureInterface<DrillTools & DrillInternals> = {
  operations: drillOperations,
  pages: {
    below: ["drill"],
    load: async () => (await import("./pages/drill_pages.tsx")).drillPages,
  },
  area: { name: "drill", label: "Drill", before: "faults" },
  additions: {
    "what faults are for": (base) => (
      <>
        A <a href={`${base}/lab/drill`}>drill</a> tries those of a login on your application.
      </>
    ),
    "the name of a drill": (_base, number, lab) => {
      const { start } = findDrill(lab, number) ?? {};
      return <>Drill of {start === undefined ? "a function" : new URL(start).origin}</>;
    },
    "the verdict on a drill": (_base, number, lab) => {
      const drill = findDrill(lab, number);
      return drill && <Tag tone={toneOf(drill.findings, drill.verdict)}>{verdictOn(drill)}</Tag>;
    },
    "actions on the report": (base, _name, lab) => (
      <a class="button secondary small" href={`${base}/lab/drill`}>
        {/* Every lab has its features. */}
        {(lab as CoreLab & DrillInternals).drillProgress().state === "finished"
          ? "Last drill"
          : "Drill an application"}
      </a>
    ),
    "a client without findings": () => (
      <>Is it as careful when a server is hostile? A drill shows it.</>
    ),
  },
};

function findDrill(lab: CoreLab, number: string): DrillProgress | undefined {
  return (lab as CoreLab & DrillInternals).findDrill(Number(number));
}

function verdictOn(drill: DrillProgress): string {
  const { state, outcomes, total } = drill;
  return state === "running" ? `Running ${outcomes.length} of ${total}` : summarizeDrill(drill);
}
