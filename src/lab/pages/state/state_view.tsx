/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { ListedSnapshot } from "../../control/lab.ts";
import { Empty } from "../parts/empty.tsx";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { PageHead, Section } from "../parts/section.tsx";

interface StateViewProps {
  page: FormOrigin;
  snapshots: readonly ListedSnapshot[];
  fileName: string;
}

/** What can be done with the state of a lab as a whole. */
export function StateView({ page, snapshots, fileName }: StateViewProps): VNode {
  return (
    <>
      <PageHead
        title="Snapshots and configuration"
        actions={
          <LabForm page={page} action="/state/snapshot" id="take-snapshot">
            <button type="submit">Take a snapshot</button>
          </LabForm>
        }
      >
        Save this lab as it is now, and return to it as often as you like.
      </PageHead>
      <Section title="Snapshots" id="snapshots" live>
        {snapshots.length === 0
          ? <Empty title="No snapshots yet" />
          : <SnapshotList page={page} snapshots={snapshots} />}
        <p class="help">
          A snapshot has the users, clients, settings, sessions and tokens, and the time of the
          clock. Restoring one clears faults, flows and the report.
        </p>
      </Section>
      <Section title="Configuration" id="configuration">
        <p class="help">
          A file with the settings, users and clients of this lab, passwords and secrets included,
          for <code>hallpass lab --config {fileName}</code>.
        </p>
        <p>
          <a
            class="button secondary"
            id="save-configuration"
            href={`${page.base}/lab/state/configuration`}
            download={fileName}
          >
            Save as configuration
          </a>
        </p>
      </Section>
      <Section title="Reset" id="reset">
        <p class="help">
          Restores the initial state, except for the signing keys. Snapshots are kept.
        </p>
        <LabForm page={page} action="/state/reset" id="reset-lab">
          <button type="submit" class="danger">Reset the lab</button>
        </LabForm>
      </Section>
    </>
  );
}

function SnapshotList({ page, snapshots }: Omit<StateViewProps, "fileName">): VNode {
  return (
    <ul class="entries">
      {snapshots.toReversed().map(({ id, at }) => (
        <li>
          <div>
            <code>{id}</code>
            <p class="help">{new Date(at).toISOString().slice(0, 19).replace("T", " ")}</p>
          </div>
          <LabForm page={page} action="/state/restore">
            <input type="hidden" name="snapshot" value={id} />
            <button type="submit" class="secondary small" aria-label={`Restore ${id}`}>
              Restore
            </button>
          </LabForm>
        </li>
      ))}
    </ul>
  );
}
