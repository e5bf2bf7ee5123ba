/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { GuardedForm } from "../../pages/frame.tsx";
import type { Language } from "../../pages/languages/languages.ts";
import { formatDelay, Phrase } from "../../pages/languages/phrases.tsx";
import type { AccountPageWords } from "./languages/en.ts";

/** What the page shows about requests that wait for the user. */
export interface WaitingRequestsProps extends GuardedForm {
  /** The requests. The form sends the id of one in its field `request`. */
  requests: WaitingRequestProps[];
}

/** A request that an application sent without a browser of the user. */
export interface WaitingRequestProps {
  /** The id of the request. */
  id: string;
  /** The id of the client. */
  clientId: string;
  /** The name of the client. */
  clientName: string;
  /** What the application also shows, so that the user can compare. */
  bindingMessage?: string | undefined;
  /** How long the user can still decide, in seconds. */
  timeLeft: number;
}

export function WaitingList(
  { waiting, language }: { waiting: WaitingRequestsProps; language: Language<AccountPageWords> },
): VNode | null {
  const { account: words } = language.words;
  if (waiting.requests.length === 0) return null;
  return (
    <section class="card" id="waiting-requests">
      <h2>{words.waitingRequests}</h2>
      <p class="lead">{words.waitingAdvice}</p>
      {waiting.requests.map((request) => (
        <form id={`request-${request.clientId}`} class="part" method="post" action={waiting.action}>
          <input type="hidden" name="form_token" value={waiting.formToken} />
          <h3>
            <bdi>{request.clientName}</bdi>
          </h3>
          {request.bindingMessage !== undefined && (
            <p class="quoted" dir="auto">{request.bindingMessage}</p>
          )}
          <p class="fine">
            <Phrase
              text={words.waitingTime}
              parts={{ when: formatDelay(language, request.timeLeft) }}
            />
          </p>
          <button type="submit" name="request" value={request.id}>{words.reviewRequest}</button>
        </form>
      ))}
    </section>
  );
}
