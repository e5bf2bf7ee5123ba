/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { FaultTools } from "../../faults/fault_tools.ts";
import { FormProblem } from "../parts/form_problem.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { PageHead } from "../parts/section.tsx";
import { ActiveFaults } from "./active_faults.tsx";
import { FaultCatalogue, FaultSearch } from "./fault_catalogue.tsx";
import { FaultScope } from "./fault_scope.tsx";
import { FiredList } from "./fired_list.tsx";

interface SwitchboardProps {
  page: FormOrigin;
  lab: CoreLab & FaultTools;
  /** What the search asks for. */
  search: string;
  /** The fields as they were sent, if something was wrong with them. */
  values: URLSearchParams;
  problem?: string | undefined;
  /** The name of the field that is wrong. */
  invalid?: string | undefined;
}

/** Every fault with its switch, what is on, and what fired so far. */
export function Switchboard(props: SwitchboardProps): VNode {
  const { page, lab, search, values, problem, invalid } = props;
  const faults = lab.faults.list();
  return (
    <>
      <PageHead title="Faults">
        A fault makes the lab misbehave, so that you can see what your client does about it. Choose
        for which client and how often, then turn it on. A{" "}
        <a href={`${page.base}/lab/drill`}>drill</a> tries those of a login on your application.
      </PageHead>
      <FormProblem problem={problem} invalid={invalid} />
      <FaultSearch search={search} action={`${page.base}/lab/faults`} />
      <LabForm page={page} action="/faults/switch" id="fault-form">
        {/* Enter in a field must not press the first button that comes. */}
        <button type="submit" disabled hidden />
        <div class="split narrow-end board">
          <div class="aside-column">
            <ActiveFaults faults={faults} />
            <FaultScope
              clients={lab.clients.list().map(({ id }) => id)}
              tenants={lab.tenants.ids()}
              values={values}
              invalid={invalid}
            />
            <FiredList lab={lab} />
          </div>
          <FaultCatalogue faults={faults} search={search} />
        </div>
      </LabForm>
    </>
  );
}
