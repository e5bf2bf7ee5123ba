import type { ResponseData } from "../../../server/http/response_data.ts";
/** @jsxImportSource preact */
import type { CoreLab } from "../../core/core_lab.ts";
import type { FaultTools } from "../../faults/fault_tools.ts";
import { LabError } from "../../util/lab_error.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../page/lab_page.ts";
import { seePage } from "../page/page_response.ts";
import { readFaultForm } from "./fault_form.ts";
import { Switchboard } from "./switchboard.tsx";

/** The switchboard of faults, and its form. */
export const faultPages: ReadonlyArray<LabPageRoute<FaultTools>> = [
  { method: "GET", path: "/faults", handle: (lab, call) => switchboardPage(lab, call) },
  { method: "POST", path: "/faults/switch", handle: switchFault },
];

/** Each button names its action: `on` and `off` have the name of a fault, `remove` has an id. */
function switchFault(lab: CoreLab & FaultTools, call: LabPageCall): LabPage | ResponseData {
  const { form } = call;
  const [on, off, remove] = ["on", "off", "remove"].map((name) => form.get(name));
  try {
    if (on) lab.faults.add(readFaultForm(form, on));
    else if (off) switchOff(lab, off);
    else if (remove) lab.faults.remove(remove);
    else lab.faults.clear();
  } catch (cause) {
    if (!(cause instanceof LabError)) throw cause;
    return switchboardPage(lab, call, cause);
  }
  return seePage(call, `/faults${searchOf(form)}${hashOf(on ?? off)}`);
}

/** A search survives each switch. */
function searchOf(form: URLSearchParams): string {
  const q = form.get("q")?.trim();
  return q ? `?${new URLSearchParams({ q })}` : "";
}

function hashOf(name: string | null | undefined): string {
  return name ? `#${encodeURIComponent(name)}` : "";
}

function switchOff(lab: CoreLab & FaultTools, name: string): void {
  for (const fault of lab.faults.list()) if (fault.name === name) lab.faults.remove(fault.id);
}

function switchboardPage(
  lab: CoreLab & FaultTools,
  call: LabPageCall,
  problem?: LabError,
): LabPage {
  return {
    title: "Faults",
    area: "faults",
    style: "report.css",
    isLive: true,
    ...problem !== undefined && { status: 422 },
    content: (
      <Switchboard
        page={call}
        lab={lab}
        search={(call.form.get("q") ?? call.query.get("q") ?? "").trim()}
        values={call.form}
        problem={problem?.message}
        invalid={problem?.field}
      />
    ),
  };
}
