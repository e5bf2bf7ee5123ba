/** @jsxImportSource preact */
import type { ResponseData } from "../../../../server/http/response_data.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePage,
} from "../../../pages/page/lab_page.ts";
import { FormProblem, LabForm } from "../../../pages/parts/form.tsx";
import { FilterForm } from "../../../pages/parts/long_list.tsx";
import { PageHead } from "../../../pages/parts/section.tsx";
import { LabError } from "../../../util/lab_error.ts";
import type { FaultTools } from "../fault_tools.ts";
import { activeFaults } from "./active_faults.tsx";
import { faultCatalogue } from "./fault_catalogue.tsx";
import { faultForm, readFaultForm } from "./fault_form.tsx";
import { firedList } from "./fired_list.tsx";

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
    if (on) lab.faults.add(readFaultForm(lab, form, on));
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
  const faults = lab.faults.list();
  const search = (call.form.get("q") ?? call.query.get("q") ?? "").trim();
  return {
    title: "Break your client",
    area: "faults",
    style: "report.css",
    isLive: true,
    ...problem !== undefined && { status: 422 },
    content: (
      <>
        <PageHead title="Break your client">
          A fault makes the lab misbehave, so that you can see what your client does about it.
          Choose for which client and how often, then turn it on.{" "}
          {call.additions("what faults are for")}
        </PageHead>
        <FormProblem problem={problem?.message} invalid={problem?.field} />
        <FilterForm
          action={`${call.base}/lab/faults`}
          label="Find a fault"
          hint="nonce, redirect, slow"
          query={new URLSearchParams(search === "" ? {} : { q: search })}
        />
        <LabForm page={call} action="/faults/switch" id="fault-form">
          {/* Enter in a field must not press the first button that comes. */}
          <button type="submit" disabled hidden />
          <div class="split narrow-end board">
            <div class="aside-column">
              {activeFaults(faults)}
              {faultForm(lab, call.form, problem?.field)}
              {firedList(lab)}
            </div>
            {faultCatalogue(faults, search)}
          </div>
        </LabForm>
      </>
    ),
  };
}
