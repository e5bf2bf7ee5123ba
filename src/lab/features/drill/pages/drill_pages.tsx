/** @jsxImportSource preact */
import type { VNode } from "preact";
import { isResponseData, type ResponseData } from "../../../../server/http/response_data.ts";
import { counted } from "../../../../server/util/time/duration.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { ofTenant } from "../../../core/tenant_config.ts";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePage,
} from "../../../pages/page/lab_page.ts";
import type { Field } from "../../../pages/parts/fields.tsx";
import { fewFindings, FindingEntry } from "../../../pages/parts/finding_entry.tsx";
import { FormFields, LabForm } from "../../../pages/parts/form.tsx";
import { fillFields, readFields } from "../../../pages/parts/form_values.ts";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import type { DrillApplication } from "../application_login.ts";
import { showDrill } from "../drill_operations.ts";
import type { DrillProgress } from "../drill_result.ts";
import { loadDrill } from "../drills.ts";
import type { DrillInternals, DrillTools } from "../feature.ts";
import { leavesSignaturesUntested } from "../variants/drill_outcome.ts";
import { loginVariantsFor, mcpVariantsFor } from "../variants/variants.ts";
import { drillGrid } from "./drill_grid.tsx";

type DrillPageMembers = DrillTools & DrillInternals;
type DrillPageLab = CoreLab & DrillPageMembers;

/** The page of the drill, and the form that starts one. */
export const drillPages: ReadonlyArray<LabPageRoute<DrillPageMembers>> = [
  {
    method: "GET",
    path: "/drill",
    handle: (lab, call) => {
      const shown = call.query.has("format") ? showDrill(lab, call) : undefined;
      return isResponseData(shown) ? shown : drillPage(lab, call);
    },
  },
  { method: "POST", path: "/drill/start", handle: startFromForm },
];

const urlFields: readonly Field[] = [
  {
    name: "start",
    label: "URL that begins a login",
    kind: "url",
    hint: "http://localhost:3000/login",
    help:
      "It leads to this lab, directly or through a button. The lab visits applications on this " +
      "machine, and those that --drill-origin names.",
    required: true,
  },
  {
    name: "check",
    label: "URL that needs a login",
    kind: "url",
    hint: "the same URL",
    help: "It shows whether a login was accepted: without one, it leads to the lab, or responds " +
      "with an error.",
  },
  {
    name: "refresh",
    label: "URL that refreshes tokens",
    kind: "url",
    hint: "none",
    help: "It makes the application refresh its tokens, and responds with an error if that fails.",
  },
  {
    name: "logout",
    label: "URL that signs out",
    kind: "url",
    hint: "none",
    help: "It signs the user out of the application, and of the lab if it leads there.",
  },
];

function fieldsOf(lab: DrillPageLab): Field[] {
  const tenants = lab.tenants.ids();
  const users = labsIn(lab).flatMap((each) => each.users.list().map(({ name }) => name));
  return [
    ...urlFields,
    { name: "user", label: "User", choices: [...new Set(users)].map((name) => [name, name]) },
    {
      name: "tenant",
      label: "Server that misbehaves",
      choices: [["", "the lab itself"], ...tenants.map((id) => [id, id] as const)],
    },
  ];
}

/** Returns a lab with its tenants, whose clients can be drilled as well. */
function labsIn(lab: DrillPageLab): DrillPageLab[] {
  return [lab, ...lab.tenants.ids().map(lab.tenants.find)];
}

function drillPage(lab: DrillPageLab, call: LabPageCall): LabPage {
  const progress = lab.drillProgress();
  const variantsFor = progress.mcp ? mcpVariantsFor : loginVariantsFor;
  const variants = variantsFor(lab.clients.list());
  return {
    title: "Drill",
    area: "drill",
    style: "report.css",
    isLive: true,
    content: (
      <>
        <PageHead title="Drill" actions={actions(call, progress)}>
          The lab signs in to your application again and again, mostly with something that no
          application may accept: a different state, an expired ID token, someone else's code.
        </PageHead>
        {inReadingOrder(
          progress,
          <>
            <Section title={progress.state === "none" ? "Your application" : "Drill again"}>
              {drillForm(lab, call, progress)}
            </Section>
            {call.additions("another drill")}
          </>,
          <div id="drill" data-live data-running={progress.state === "running" || undefined}>
            {drillState(progress)}
            {drillGrid(call, progress, variants)}
          </div>,
        )}
      </>
    ),
  };
}

/** Puts the form first until a drill has run, and from then on its result, on the first screen. */
function inReadingOrder({ state }: DrillProgress, form: VNode, result: VNode): VNode {
  return state === "none" ? <>{form}{result}</> : <>{result}{form}</>;
}

function actions({ base, additions }: LabPageCall, { state }: DrillProgress): VNode {
  return (
    <>
      {additions("actions on the drill")}
      {state !== "none" && (
        <>
          <a class="button secondary small" href={`${base}/lab/drill?format=junit`}>JUnit XML</a>
          <a class="button secondary small" href="#drill-form">Drill again</a>
        </>
      )}
    </>
  );
}

function drillForm(lab: DrillPageLab, call: LabPageCall, progress: DrillProgress): VNode {
  const all = fieldsOf(lab);
  const shown = all.filter(({ name }) => name !== "tenant" || lab.tenants.ids().length > 0);
  return (
    <LabForm page={call} action="/drill/start" id="drill-form">
      <FormFields fields={shown} values={fillFields(all, progress)} />
      {call.additions("an option of a drill", progress.mcp ? "mcp" : "")}
      <button type="submit">Run the drill</button>
    </LabForm>
  );
}

/**
 * Starts a drill, and shows how it goes on: on the page of the tenant, if it is one's. Its page names
 * the problem if it cannot begin.
 */
async function startFromForm(around: DrillPageLab, call: LabPageCall): Promise<ResponseData> {
  const { tenant: id, ...application } = readFields(fieldsOf(around), call.form);
  const tenant = id as string | undefined;
  const lab = ofTenant(tenant, around, around.tenants);
  const base = tenant === undefined ? call.base : `${call.base}/t/${tenant}`;
  await loadDrill();
  const before = lab.drillProgress();
  const run = call.form.has("mcp") ? lab.drillMcp : lab.drill;
  const drill = run({ start: "", ...application } as DrillApplication);
  if (lab.drillProgress() === before) await drill;
  drill.catch(() => {});
  return seePage({ ...call, base }, "/drill");
}

function drillState(progress: DrillProgress): VNode | null {
  const { state, outcomes: { length: done }, total, problem } = progress;
  switch (state) {
    case "none":
      return null;
    case "stopped":
      return (
        <p class="alert" role="alert">
          {problem?.replace(/[^.]$/, "$&.")} The drill proves nothing, and was stopped.
        </p>
      );
    case "running":
      return (
        <p class="drill-progress">
          <noscript>
            <a href="?">Load the page again</a>
          </noscript>
          <label for="drill-bar">Login {done + 1} of {total + 1}</label>
          <progress id="drill-bar" value={done} max={total} />
        </p>
      );
    case "finished":
      return (
        <>
          <p class="drill-summary" role="status">{summarize(progress)}</p>
          {progress.findings.map((finding) => (
            <FindingEntry
              id={`finding-${finding.id}`}
              finding={finding}
              isOpen={progress.findings.length <= fewFindings}
            />
          ))}
        </>
      );
  }
}

const signaturesUntested = "Signatures were not tested: the application fetched no keys.";

/** Returns the result in a few sentences. */
function summarize(progress: DrillProgress): string {
  const { accepted, refused, tolerated, wronglyRefused, unmet, outcomes } = progress;
  const logins = accepted.length === 0
    ? "no hostile login"
    : counted(accepted.length, "hostile login");
  const handled = refused.length + tolerated.length;
  const valid = wronglyRefused.length === 0
    ? []
    : [`It refused ${counted(wronglyRefused.length, "valid login")}.`];
  return [
    `The application accepted ${logins}.`,
    ...valid,
    `It handled ${handled} as it should: it refused ${refused.length}, and accepted ` +
    `${tolerated.length} that it need not refuse. It did not meet ${unmet.length}.`,
    ...leavesSignaturesUntested(outcomes) ? [signaturesUntested] : [],
  ].join(" ");
}
