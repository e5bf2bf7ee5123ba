/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DrillProgress } from "../../drill/drill_progress.ts";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { DrillGrid } from "./drill_grid.tsx";

/** The props of the page of the drill. */
export interface DrillPageProps {
  page: FormOrigin;
  progress: DrillProgress;
  /** The names of the users. */
  users: readonly string[];
}

/** Starts a drill, and shows how the application handles each hostile login. */
export function DrillPage({ page, progress, users }: DrillPageProps): VNode {
  return (
    <>
      <PageHead title="Drill" actions={<DrillActions page={page} />}>
        The lab signs in to your application, again and again, and each time something is wrong that
        no application may accept: a different state, an expired ID token, a code of someone else.
      </PageHead>
      <DrillForm page={page} progress={progress} users={users} />
      <div id="drill" data-live>
        <DrillState progress={progress} />
        <DrillGrid base={page.base} progress={progress} />
      </div>
    </>
  );
}

function DrillActions({ page }: { page: FormOrigin }): VNode {
  return (
    <>
      <a class="button secondary small" href={`${page.base}/lab/report`}>Client report</a>
      <a class="button secondary small" href={`${page.base}/lab/drill?format=junit`}>JUnit XML</a>
    </>
  );
}

function DrillForm({ page, progress: { start, check, user }, users }: DrillPageProps): VNode {
  return (
    <Section title="Your application">
      <LabForm page={page} action="/drill/start" id="drill-form">
        <div class="fields">
          <div>
            <label for="start">URL that begins a login</label>
            <input
              type="url"
              id="start"
              name="start"
              required
              value={start}
              placeholder="http://localhost:3000/login"
              aria-describedby="start-help"
            />
            <p class="help" id="start-help">
              It leads to this lab, at once or by a button. The lab visits applications on this
              machine, and those that --drill-origin names.
            </p>
          </div>
          <div>
            <label for="check">URL that needs a login</label>
            <input
              type="url"
              id="check"
              name="check"
              value={check}
              placeholder="the same URL"
              aria-describedby="check-help"
            />
            <p class="help" id="check-help">
              It shows whether a login was accepted: without one, it leads to the lab, or responds
              with an error.
            </p>
          </div>
          <div>
            <label for="user">User</label>
            <select id="user" name="user">
              {users.map((name) => <option value={name} selected={name === user}>{name}</option>)}
            </select>
          </div>
        </div>
        <button type="submit">Run the drill</button>
      </LabForm>
    </Section>
  );
}

function DrillState({ progress }: { progress: DrillProgress }): VNode | null {
  const { state, outcomes, total, problem } = progress;
  if (state === "none") return null;
  if (state === "stopped") {
    return <p class="alert" role="alert">{problem} The drill proves nothing, and was stopped.</p>;
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

/** Returns the result in one sentence. */
function summarize({ accepted, refused, unmet }: DrillProgress): string {
  const rest = `It refused ${refused.length}, and did not meet ${unmet.length}.`;
  if (accepted.length === 0) return `The application accepted no hostile login. ${rest}`;
  const logins = accepted.length === 1 ? "one hostile login" : `${accepted.length} hostile logins`;
  return `The application accepted ${logins}. ${rest}`;
}
