/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { OAuthError } from "../../../server/protocol/oauth_error.ts";
import { PageHead } from "../parts/section.tsx";
import type { LabPage } from "./lab_page.ts";

/** Returns the page that says why the lab did not do what was asked, and what can be done next. */
export function problemPage(
  { status, message, hint }: OAuthError,
  next?: { title: string; content: VNode },
): LabPage {
  const title = next?.title ??
    (status === 404 ? "There is no such page" : "The lab could not do that");
  return {
    title,
    status,
    content: (
      <>
        <PageHead title={title} />
        <p class="alert" id="problem" role="alert">{message}</p>
        {hint && <p>{hint}</p>}
        {next?.content}
      </>
    ),
  };
}
