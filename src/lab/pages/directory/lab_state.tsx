/** @jsxImportSource preact */
import type { VNode } from "preact";
import { textDownload } from "../../../server/http/response.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { seePreviousPage } from "../page/page_response.ts";
import { type FormOrigin, LabForm } from "../parts/lab_form.tsx";
import { Section } from "../parts/section.tsx";
import { savedConfiguration } from "./saved_configuration.ts";

const fileName = "hallpass.json";

/** The download of a lab's configuration, and the form that resets the lab. */
export const labStatePages: readonly LabPageRoute[] = [
  {
    method: "GET",
    path: "/state/configuration",
    handle: (lab) =>
      textDownload(savedConfiguration(lab), { contentType: "application/json", fileName }),
  },
  {
    method: "POST",
    path: "/state/reset",
    async handle(lab, call) {
      await lab.reset();
      return seePreviousPage(call);
    },
  },
];

interface LabStateProps {
  page: FormOrigin;
  /** The path of the page to return to. */
  back: string;
}

/** What can be done with all users, clients and settings of a lab at once. */
export function LabState({ page, back }: LabStateProps): VNode {
  return (
    <Section title="Save and reset" id="lab-state">
      <p class="help">
        A file with the settings, users and clients of this lab, passwords and secrets included, for
        {" "}
        <code>hallpass lab --config {fileName}</code>.
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
      <p class="help">A reset restores the initial state, except for the signing keys.</p>
      <LabForm page={page} action="/state/reset" back={back} id="reset-lab">
        <button type="submit" class="danger">Reset the lab</button>
      </LabForm>
    </Section>
  );
}
