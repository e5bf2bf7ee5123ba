/** @jsxImportSource preact */
import type { VNode } from "preact";
import {
  AuthorizedContent,
  type AuthorizedContentProps,
} from "../../../../server/features/authorized/authorized.tsx";
import type { FailedFlow } from "../../../client_role/failed_flow.ts";
import type { PlayedFlow } from "../../../client_role/played_flow.ts";
import type { LabPageCall } from "../../../pages/page/lab_page.ts";
import { CodeState } from "./code_state.tsx";
import { FailureCause } from "./failure_cause.tsx";
import type { FollowUpView } from "./follow_up_views.ts";
import { FollowUps } from "./follow_ups.tsx";

interface AuthorizedPageProps {
  page: Pick<LabPageCall, "base" | "formToken" | "request" | "isAlone">;
  now: number;
  /** What every server shows. */
  props: AuthorizedContentProps;
  played: PlayedFlow | undefined;
  failed: FailedFlow | undefined;
  views: readonly FollowUpView[];
}

/** The page of every server; below the code, what only a lab can show and do. */
export function AuthorizedPage(shown: AuthorizedPageProps): VNode {
  const { page, now, props, played, failed, views } = shown;
  const { pathname, search } = new URL(page.request.url);
  return (
    <div class="authorized">
      <AuthorizedContent
        {...props}
        isSpent={played?.codeState.kind === "spent"}
        codeState={
          <CodeState base={page.base} now={now} played={played} hasFlowPages={!page.isAlone} />
        }
      >
        <FollowUps page={page} action={`${pathname}/send${search}`} views={views} />
      </AuthorizedContent>
      {failed && <FailureCause base={page.base} failed={failed} hasFlowPages={!page.isAlone} />}
    </div>
  );
}
