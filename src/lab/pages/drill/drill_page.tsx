/** @jsxImportSource preact */
import type { VNode } from "preact";
import { counted } from "../../../server/util/time/describe_span.ts";
import { leavesSignaturesUntested } from "../../drill/drill_outcome.ts";
import type { DrillProgress } from "../../drill/drill_progress.ts";
import type { DrillVariant } from "../../drill/drill_variant.ts";
import { CheckBox, SelectField } from "../parts/fields.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { DrillGrid } from "./drill_grid.tsx";

/** The props of the page of the drill. */
export interface DrillPageProps {
  page: FormOrigin;
  progress: DrillProgress;
  /** What the application meets. */
  variants: readonly DrillVariant[];
  /** The names of the users. */
  users: readonly string[];
  /** The tenants of the lab, whose clients can be drilled as well. */
  tenants: readonly string[];
  /** Whether there is an MCP server. */
  hasMcp: boolean;
}

/** Starts a drill, and shows how the application handles each variant of a login. */
export function DrillPage(props: DrillPageProps): VNode {
  const { page, progress, variants } = props;
  return (
    <>
      <PageHead title="Drill" actions={<DrillActions page={page} progress={progress} />}>
        The lab signs in to your application, again and again. Usually, something is wrong that no
        application may accept: a different state, an expired ID token, a code of someone else.
        Sometimes, something is unusual but valid.
      </PageHead>
      <DrillForm {...props} />
      <div id="drill" data-live data-running={progress.state === "running" || undefined}>
        <DrillState progress={progress} />
        <DrillGrid base={page.base} progress={progress} variants={variants} />
      </div>
    </>
  );
}

function DrillActions({ page, progress }: Pick<DrillPageProps, "page" | "progress">): VNode {
  return (
    <>
      <a class="button secondary small" href={`${page.base}/lab/report`}>Report</a>
      {progress.state !== "none" && (
        <a class="button secondary small" href={`${page.base}/lab/drill?format=junit`}>JUnit XML</a>
      )}
    </>
  );
}

function DrillForm({ page, progress, users, tenants, hasMcp }: DrillPageProps): VNode {
  return (
    <Section title="Your application">
      <LabForm page={page} action="/drill/start" id="drill-form">
        <div class="fields">
          {urlFields.map((field) => <UrlInput field={field} value={progress[field.name]} />)}
          <SelectField
            name="user"
            label="User"
            value={progress.user ?? ""}
            options={users.map((name) => [name, name])}
          />
          {tenants.length > 0 && (
            <SelectField
              name="tenant"
              label="Server that misbehaves"
              value=""
              options={[["", "the lab itself"], ...tenants.map((id) => [id, id] as const)]}
            />
          )}
        </div>
        {hasMcp && (
          <CheckBox
            name="mcp"
            checked={progress.mcp === true}
            label="A client of the Model Context Protocol: its callback calls a tool of /mcp"
          />
        )}
        <button type="submit">Run the drill</button>
      </LabForm>
    </Section>
  );
}

/** A field of the form for a URL of the application. */
interface UrlField {
  name: "start" | "check" | "refresh" | "logout";
  label: string;
  placeholder: string;
  help: string;
}

const urlFields: readonly UrlField[] = [
  {
    name: "start",
    label: "URL that begins a login",
    placeholder: "http://localhost:3000/login",
    help:
      "It leads to this lab, directly or through a button. The lab visits applications on this " +
      "machine, and those that --drill-origin names.",
  },
  {
    name: "check",
    label: "URL that needs a login",
    placeholder: "the same URL",
    help: "It shows whether a login was accepted: without one, it leads to the lab, or responds " +
      "with an error.",
  },
  {
    name: "refresh",
    label: "URL that refreshes tokens",
    placeholder: "none",
    help: "It makes the application refresh its tokens, and responds with an error if that fails.",
  },
  {
    name: "logout",
    label: "URL that signs out",
    placeholder: "none",
    help: "It signs the user out of the application, and of the lab if it leads there.",
  },
];

function UrlInput({ field, value }: { field: UrlField; value: string | undefined }): VNode {
  const { name, label, placeholder, help } = field;
  return (
    <div>
      <label for={name}>{label}</label>
      <input
        type="url"
        id={name}
        name={name}
        required={name === "start"}
        value={value}
        placeholder={placeholder}
        aria-describedby={`${name}-help`}
      />
      <p class="help" id={`${name}-help`}>{help}</p>
    </div>
  );
}

function DrillState({ progress }: { progress: DrillProgress }): VNode | null {
  const { state, outcomes, total, problem } = progress;
  if (state === "none") return null;
  if (state === "stopped") {
    return (
      <p class="alert" role="alert">
        {problem?.replace(/[^.]$/, "$&.")} The drill proves nothing, and was stopped.
      </p>
    );
  }
  if (state === "running") {
    const done = outcomes.length;
    return (
      <p class="drill-progress">
        <label for="drill-bar">Login {done + 1} of {total + 1}</label>
        <progress id="drill-bar" value={done} max={total} />
      </p>
    );
  }
  return <p class="drill-summary" role="status">{summarize(progress)}</p>;
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
    `${tolerated.length} that are valid. It did not meet ${unmet.length}.`,
    ...leavesSignaturesUntested(outcomes) ? [signaturesUntested] : [],
  ].join(" ");
}
