/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import { nameOfApi } from "../../../core/remarks.ts";
import { summarizeFindings, toneOf } from "../../../findings/verdict.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import { confinedNote } from "../../../pages/parts/confined.tsx";
import type { Field } from "../../../pages/parts/fields.tsx";
import { FindingGroups } from "../../../pages/parts/finding_entry.tsx";
import { ActionForm, FormFields, LabForm, SubmitRow } from "../../../pages/parts/form.tsx";
import { readFields } from "../../../pages/parts/form_values.ts";
import { RowGroup } from "../../../pages/parts/rows.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { GradedTitle, Verdict, VerdictScope } from "../../../pages/parts/verdict.tsx";
import type { LabError } from "../../../util/lab_error.ts";
import { checkRow } from "../../verdicts/pages/check_row.tsx";
import type { ApiDrillResult } from "../api_drill_result.ts";
import type { ApiDrill, ApiDrillInternals, ApiDrillTools } from "../api_drill_tools.ts";

type ApiDrillLab = CoreLab & ApiDrillTools & ApiDrillInternals;

export const apiDrillPages: ReadonlyArray<LabPageRoute<ApiDrillTools & ApiDrillInternals>> = [
  pageAt("/drill/api", (lab, call) => apiDrillPage(lab, call)),
  formAt("/drill/api", drillFromForm, apiDrillPage),
];

function fieldsOf(lab: CoreLab): Field[] {
  const names = lab.users.list().map(({ name }) => name);
  return [
    {
      name: "request",
      label: "URL of your API",
      kind: "url",
      hint: "http://localhost:3001/orders",
      help: "It trusts this lab as its issuer. The lab calls it with GET, again and again.",
      required: true,
    },
    {
      name: "more",
      label: "Options",
      fields: [
        { name: "scope", label: "Scope that it requires", hint: "orders:read" },
        {
          name: "audience",
          label: "Audience that it expects",
          help: "If empty: that of its metadata, or the default of the lab.",
        },
        {
          name: "otherUser",
          label: "User who may not read it",
          choices: [["", "not checked"], ...names.map((name) => [name, name] as const)],
        },
        { name: "rfc9068", label: "It follows RFC 9068: the type is at+jwt", kind: "check" },
        { name: "dpop", label: "Clients bind their tokens to a key: DPoP", kind: "check" },
        { name: "mutualTls", label: "Or to a certificate: mutual TLS", kind: "check" },
      ],
    },
  ];
}

async function drillFromForm(lab: ApiDrillLab, { form }: LabPageCall): Promise<string> {
  const api = readFields(fieldsOf(lab), form);
  await lab.drillApi({ request: "", ...api } as ApiDrill);
  return "/drill/api";
}

/**
 * The last result for each API, the newest first, and the form that drills one; or why there is no
 * result, next to the field.
 */
function apiDrillPage(lab: ApiDrillLab, call: LabPageCall, problem?: LabError): LabPage {
  const results = lab.apiDrills().toReversed();
  const last = new URLSearchParams(results.slice(0, 1).map(({ url }) => ["request", url]));
  const form = (
    <Section title={results.length > 0 ? "Drill again" : "Your API"}>
      {confinedNote(lab) ?? (
        <LabForm page={call} action="/drill/api" id="api-drill-form">
          <FormFields
            fields={fieldsOf(lab)}
            values={problem ? call.form : last}
            invalid={problem && (problem.field ?? "request")}
            problem={problem?.message}
          />
          <SubmitRow>Drill the API</SubmitRow>
        </LabForm>
      )}
    </Section>
  );
  return {
    title: "Drill your API",
    area: "drill",
    style: "report.css",
    content: (
      <>
        <PageHead
          title="Drill your API"
          actions={
            <a class="button secondary small" href={`${call.base}/lab/drill`}>
              Drill an application
            </a>
          }
        >
          The lab calls it with tokens that no API may accept, and with unusual ones that are valid.
        </PageHead>
        {problem && form}
        <div id="api">{results.map((result, at) => resultOf(call, result, at))}</div>
        {!problem && form}
      </>
    ),
  };
}

function resultOf(
  call: LabPageCall,
  { url, client, findings, checks, ...verdict }: ApiDrillResult,
  at: number,
): VNode {
  const others = checks.filter((each) => each.skipped === undefined && !each.findings?.length);
  const leftOut = checks.filter(({ skipped }) => skipped !== undefined);
  return (
    <>
      <Verdict
        tone={toneOf(findings, verdict)}
        title={
          <GradedTitle verdict={verdict}>
            <bdi>{nameOfApi(url, client)}</bdi>: {summarizeFindings(findings)}
          </GradedTitle>
        }
        actions={
          <ActionForm page={call} action="/drill/api" fields={{ request: url }}>
            Run again
          </ActionForm>
        }
      />
      <FindingGroups findings={findings} />
      <VerdictScope id={`api-${at + 1}`} verdict={verdict} />
      <RowGroup id={`api-${at + 1}-passed`} title="Passed" rows={others.map(checkRow)} />
      <RowGroup id={`api-${at + 1}-left-out`} title="Left out" rows={leftOut.map(checkRow)} />
    </>
  );
}
