/** @jsxImportSource preact */
import type { VNode } from "preact";
import { AuthorizedContent, type AuthorizedContentProps } from "../../../pages/authorized.tsx";
import type { PlayedFlow } from "../../client_role/played_flow.ts";
import type { LabPageCall } from "../lab_page.ts";
import { CodeState } from "./code_state.tsx";
import type { FollowUpView } from "./follow_up_views.ts";
import { FollowUps } from "./follow_ups.tsx";

interface AuthorizedPageProps {
  page: Pick<LabPageCall, "base" | "formToken" | "request" | "isAlone">;
  now: number;
  /** What every server shows. */
  props: AuthorizedContentProps;
  played: PlayedFlow | undefined;
  views: readonly FollowUpView[];
}

/** The page of every server; below it, what only a lab can show and do. */
export function AuthorizedPage({ page, now, props, played, views }: AuthorizedPageProps): VNode {
  const { pathname, search } = new URL(page.request.url);
  return (
    <div class="authorized">
      <AuthorizedContent {...props} />
      {!props.hasError && (
        <>
          <CodeState base={page.base} now={now} played={played} hasFlowPages={!page.isAlone} />
          <FollowUps page={page} action={`${pathname}/send${search}`} views={views} />
        </>
      )}
    </div>
  );
}
