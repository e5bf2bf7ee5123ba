/** @jsxImportSource preact */
import type { VNode } from "preact";
import { isResponseData, type ResponseData } from "../../../../server/http/response_data.ts";
import { type CoreLab, ofTenant } from "../../../core/core_lab.ts";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  seePage,
} from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import { confinedNote } from "../../../pages/parts/confined.tsx";
import type { Field } from "../../../pages/parts/fields.tsx";
import type { OfferedFix } from "../../../pages/parts/fix.tsx";
import { FormFields, LabForm, SubmitRow } from "../../../pages/parts/form.tsx";
import { fillFields, readFields } from "../../../pages/parts/form_values.ts";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { Ago } from "../../../pages/parts/tag.tsx";
import type { DrillApplication } from "../application_login.ts";
import { showDrill } from "../drill_operations.ts";
import type { DrillProgress } from "../drill_result.ts";
import { loadDrill } from "../drills.ts";
import type { DrillInternals, DrillTools } from "../feature.ts";
import { findKnownApplication, type KnownApplication } from "../known_application.ts";
import { loginVariantsFor, mcpVariantsFor } from "../variants/variants.ts";
import { drillResult, untriedVariants } from "./drill_result_parts.tsx";

type DrillPageMembers = DrillTools & DrillInternals;
type DrillPageLab = CoreLab & DrillPageMembers;

/** The logins of a whole drill, with those of its checks. */
const usualLogins = 190;

/** The page of the drill, and the forms that start and stop one. */
export const drillPages: ReadonlyArray<LabPageRoute<DrillPageMembers>> = [
  pageAt("/drill", async (lab, call) => {
    const shown = call.query.has("format") ? await showDrill(lab, call) : undefined;
    return isResponseData(shown) ? shown : drillPage(lab, call);
  }),
  formAt("/drill/start", startFromForm),
  formAt("/drill/stop", (lab) => {
    lab.stopDrill();
    return "/drill";
  }),
];

function fieldsOf(lab: DrillPageLab): Field[] {
  const tenants = lab.tenants.ids();
  const users = labsIn(lab).flatMap((each) => each.users.list().map(({ name }) => name));
  const tenant: Field = {
    name: "tenant",
    label: "Server that misbehaves",
    choices: [["", "the lab itself"], ...tenants.map((id) => [id, id] as const)],
  };
  return [
    {
      name: "start",
      label: "URL that leads to a login",
      kind: "url",
      hint: "http://localhost:3000",
      help:
        "It leads to this lab, directly or through a button or a link. Best: a page that needs a login.",
      required: true,
    },
    ...laterUrls,
    { name: "user", label: "User", choices: [...new Set(users)].map((name) => [name, name]) },
    ...tenants.length > 0 ? [tenant] : [],
    {
      name: "severalIssuers",
      label: "It signs in at other servers with the same redirect URI",
      kind: "check",
    },
  ];
}

const laterUrls: readonly Field[] = [
  {
    name: "check",
    label: "URL that needs a login",
    kind: "url",
    hint: "the drill finds one",
    help: "Without a login, it leads to the lab, responds with an error, or shows another page.",
  },
  {
    name: "refresh",
    label: "URL that refreshes tokens",
    kind: "url",
    hint: "none",
    help: "It responds with an error if that fails.",
  },
  { name: "logout", label: "URL that signs out", kind: "url", hint: "none" },
];

/** Returns a lab with its tenants, whose clients can be drilled as well. */
function labsIn(lab: DrillPageLab): DrillPageLab[] {
  return [lab, ...lab.tenants.all()];
}

/** What was done comes first: until a drill has run, there is only the form, and what it starts. */
function drillPage(lab: DrillPageLab, call: LabPageCall): LabPage {
  const progress = shownProgress(lab);
  const variantsFor = progress.mcp ? mcpVariantsFor : loginVariantsFor;
  return {
    title: "Drill your application",
    area: "drill",
    style: "report.css",
    isLive: true,
    content: (
      <>
        <PageHead title="Drill your application" actions={call.additions("actions on the drill")}>
          The lab signs in again and again, mostly with something that no application may accept.
          {progress.state === "none" && ` A drill takes as long as about ${usualLogins} logins.`}
        </PageHead>
        <div id="drill" data-live data-running={progress.state === "running" || undefined}>
          {drillResult(call, progress, {
            fix: fixOf(lab, call, progress),
            runs: !confinedNote(lab),
          })}
        </div>
        <div id="drill-setup" data-live>
          {progress.state !== "running" && drillForm(lab, call, progress)}
        </div>
        <div id="drill-variants" data-live>
          {progress.state === "none" && untriedVariants(variantsFor(lab.clients.list()))}
        </div>
      </>
    ),
  };
}

/** Returns the progress of the drill. Where no form is shown, no field of it can have a problem. */
function shownProgress(lab: DrillPageLab): DrillProgress {
  const progress = lab.drillProgress();
  return confinedNote(lab) ? { ...progress, field: undefined } : progress;
}

/** Returns what the lab can do about the request whose refusal stopped the drill. */
function fixOf(
  lab: DrillPageLab,
  call: LabPageCall,
  { refusedRequest }: DrillProgress,
): OfferedFix | undefined {
  const refused = lab.exchanges().filter(({ id }) => id === refusedRequest);
  return call.offerFix(refused, { here: `${call.base}/lab/drill`, again: "Drill again" });
}

/** What the lab knows is a guess: it can be changed, and nothing is opened before the button. */
function drillForm(lab: DrillPageLab, call: LabPageCall, progress: DrillProgress): VNode {
  const fields = fieldsOf(lab);
  const known = progress.start === undefined ? findKnownApplication(lab) : undefined;
  const again = progress.state === "none" ? "Your application" : "Drill again";
  return (
    <Section title={known ? `Drill ${known.origin}` : again}>
      {known && aboutKnown(known, lab.clock.now())}
      {confinedNote(lab) ?? (
        <LabForm page={call} action="/drill/start" id="drill-form">
          <FormFields
            fields={fields}
            values={fillFields(fields, known ?? progress)}
            invalid={progress.field}
            problem={progress.field && "The drill stopped here."}
          />
          {call.additions("an option of a drill", progress.mcp ? "mcp" : "")}
          <SubmitRow stays={progress.state === "none"}>Run the drill</SubmitRow>
        </LabForm>
      )}
    </Section>
  );
}

function aboutKnown({ client, at }: KnownApplication, now: number): VNode {
  return (
    <p>
      <bdi>{client}</bdi> signed in from there{" "}
      <Ago at={at} now={now} />. The URLs are guesses: nothing is opened before you run the drill.
    </p>
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
