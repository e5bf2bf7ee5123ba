/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/duration.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { nameOfApi } from "../../core/remarks.ts";
import { type Check, isViolation } from "../../findings/finding.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { type LabPageRoute, seePage } from "../../pages/page/lab_page.ts";
import type { Field } from "../../pages/parts/fields.tsx";
import { fewFindings, FindingEntry } from "../../pages/parts/finding_entry.tsx";
import { FormFields, type FormOrigin, LabForm } from "../../pages/parts/form.tsx";
import { readFields } from "../../pages/parts/form_values.ts";
import { Section } from "../../pages/parts/section.tsx";
import { type Column, Table } from "../../pages/parts/tables.tsx";
import { Tag } from "../../pages/parts/tag.tsx";
import { type ApiDrillResult, describeCounts } from "./api_drill_result.ts";
import type { ApiDrill, ApiDrillInternals, ApiDrillTools } from "./api_drill_tools.ts";

/** What the page of the drill has about APIs. `POST /drill` is the operation of the drill. */
export const apiDrillInterface: FeatureInterface<ApiDrillTools> = {
  pages: { below: ["drill"], load: async () => [drillForm] },
  additions: {
    // It leads past the form for an application.
    "actions on the drill": () => <a class="button secondary small" href="#api">Drill an API</a>,
    // Every lab has its features.
    "another drill": (_base, _name, lab, page) =>
      apiDrillSection(lab as CoreLab & ApiDrillInternals, page),
  },
};

const drillForm: LabPageRoute<ApiDrillTools> = {
  method: "POST",
  path: "/drill/api",
  async handle(lab, call) {
    const api = readFields(fieldsOf(lab), call.form);
    await lab.drillApi({ request: "", ...api } as ApiDrill);
    return seePage(call, "/drill#api");
  },
};

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
    { name: "scope", label: "Scope that it requires", hint: "orders:read" },
    {
      name: "audience",
      label: "Audience that it expects",
      hint: "that of its metadata, or the default of the lab",
    },
    {
      name: "otherUser",
      label: "User who may not read it",
      choices: [["", "not checked"], ...names.map((name) => [name, name] as const)],
    },
    { name: "rfc9068", label: "It follows RFC 9068: the type is at+jwt", kind: "check" },
  ];
}

/** The last result for each API, and the form that drills one. */
function apiDrillSection(lab: CoreLab & ApiDrillInternals, page: FormOrigin): VNode {
  return (
    <div id="api">
      {lab.apiDrills().map(resultSection)}
      <Section title="Your API">
        <p>
          The lab calls your API with tokens that no API may accept: expired, for another API,
          signed by anyone. Some are unusual but valid.
        </p>
        <LabForm page={page} action="/drill/api" id="api-drill-form">
          <FormFields fields={fieldsOf(lab)} values={new URLSearchParams()} />
          <button type="submit" class="secondary">Drill the API</button>
        </LabForm>
      </Section>
    </div>
  );
}

function resultSection({ grade, findings, checks, ...api }: ApiDrillResult): VNode {
  const leftOut = checks.filter(({ skipped }) => skipped !== undefined);
  return (
    <Section
      title={<bdi>{nameOfApi(api)}</bdi>}
      actions={grade && <span class={`grade grade-${grade.toLowerCase()}`}>{grade}</span>}
    >
      <p role="status">
        {describeCounts(findings)}, in {counted(checks.length - leftOut.length, "check")};{" "}
        {leftOut.length} left out.
      </p>
      {[...findings.filter(isViolation), ...findings.filter((each) => !isViolation(each))]
        .map((finding) => (
          <FindingEntry
            finding={finding}
            isOpen={findings.length <= fewFindings}
          />
        ))}
      <details>
        <summary>All checks</summary>
        <Table columns={columns} entries={checks} isCompact />
      </details>
    </Section>
  );
}

const columns: ReadonlyArray<Column<Check>> = [
  ["Check", ({ id, title }) => (
    <>
      {title} <code class="muted">{id}</code>
    </>
  ), { class: "main-column first-line whole-line" }],
  ["Result", ({ findings = [], skipped }) => {
    if (skipped !== undefined) return <Tag>Left out</Tag>;
    if (findings.length === 0) return <Tag tone="good">Passed</Tag>;
    return <Tag tone={findings.some(isViolation) ? "bad" : "neutral"}>Found</Tag>;
  }],
  [
    "What it showed",
    ({ findings = [], skipped, note }) =>
      skipped ?? note ?? findings.map(({ received }) => received),
  ],
];
