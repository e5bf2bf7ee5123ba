/** @jsxImportSource preact */
import type { VNode } from "preact";
import { withWholeOptions } from "./access_detail.tsx";
import { HiddenFields } from "./form_post.tsx";
import { Frame, type FrameProps } from "./frame.tsx";
import type { ErrorKind } from "./languages/en.ts";
import type { Language } from "./languages/languages.ts";
import { formatDelay, Phrase } from "./languages/phrases.tsx";
import { ClientName, type DescribedUser, UserIdentity } from "./parties.tsx";

/** The props of the page that shows an error. */
export interface ErrorProps extends FrameProps {
  /** What the page is about. */
  kind: ErrorKind;
  /** The name of the application that the user may not use. */
  clientName?: string | undefined;
  /** The user who may not use it. */
  user?: DescribedUser | undefined;
  /** In how many seconds the user can try again, if that is known. */
  retryAfter?: number | undefined;
  /** The error code. */
  error: string;
  /** What went wrong, in one sentence for developers. */
  description: string;
  /** What came; only with `hints`. */
  received?: string | undefined;
  /** What was expected; only with `hints`. */
  expected?: string | undefined;
  /** How the developer fixes the request; only with `hints`. */
  fix?: string | undefined;
  /** The section of a specification that requires the error. */
  see?: string | undefined;
  /** The id of the request in the log, for the administrator. */
  requestId?: string | undefined;
  /** The page that shows the request with all that came before it. */
  flowUrl?: string | undefined;
  /** How the user can notify the application, which was not redirected to. */
  continuation?: ErrorContinuation | undefined;
}

/** A link, or a form for an application that expects a POST. */
export type ErrorContinuation = {
  /** The name of the receiver. */
  receiver: string;
  /** Whether a response was already sent to the application. It may have been lost. */
  responseWasSent?: boolean;
} & ({ href: string } | { action: string; members: Record<string, string | undefined> });

/** Errors of which the application need not know. */
const errorsOfOurPages: readonly ErrorKind[] = ["notFound", "wrongMethod", "replaced"];

export function ErrorPage(props: ErrorProps): VNode {
  const { base, language, kind, clientName, user, retryAfter, flowUrl } = props;
  const { error, common } = language.words;
  const { title, advice } = error.kinds[kind];
  const details = <Details {...props} />;
  // With `hints`, the reader is the one who can fix them.
  const isExplained = flowUrl !== undefined;
  return (
    <Frame {...props} title={title} width="narrow">
      <section class="card">
        <h1>{title}</h1>
        {clientName && <ClientName name={clientName} />}
        {user && (
          <div class="account">
            <UserIdentity user={user} />
          </div>
        )}
        {isExplained && details}
        <p class="lead">
          {advice} {retryAfter !== undefined && (
            <Phrase
              text={error.tryAgain}
              parts={{ when: <strong>{formatDelay(language, retryAfter)}</strong> }}
            />
          )}
        </p>
        {kind === "replaced" && (
          <p>
            <a class="button" href={`${base}/account`}>{common.yourAccount}</a>
          </p>
        )}
        {!isExplained && details}
        {!errorsOfOurPages.includes(kind) && <ForApplication {...props} />}
        <p>
          <a href={`${base}/`}>{common.home}</a>
        </p>
      </section>
    </Frame>
  );
}

/** Shows what went wrong to developers, in English. */
function Details(props: ErrorProps): VNode {
  const { error, description, received, expected, fix, see, requestId, flowUrl } = props;
  return (
    <section class="developer" lang="en" dir="ltr" aria-label="Details for developers">
      <p id="error-description">{description}</p>
      <dl class="facts">
        <dt>Error</dt>
        <dd>
          <code id="error">{error}</code>
        </dd>
        <Fact name="Received" id="received" value={received} />
        <Fact name="Expected" id="expected" value={expected} />
        <Fact name="Fix" id="fix" value={fix && withWholeOptions(fix)} />
        <Fact name="See" value={see} />
        <Fact name="Request" id="request" value={flowUrl ? undefined : requestId} />
      </dl>
      {flowUrl && (
        <p>
          <a id="flow" href={flowUrl} class="button">See what happened and fix it</a>
        </p>
      )}
    </section>
  );
}

function Fact(
  { name, value, id }: { name: string; value: VNode | string | undefined; id?: string },
) {
  if (!value) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd id={id}>{value}</dd>
    </>
  );
}

function ForApplication({ language, continuation }: ErrorProps): VNode {
  const { knowsNothing, canBeTold, mayNotKnow } = language.words.error.application;
  const sentSoFar = continuation?.responseWasSent ? mayNotKnow : canBeTold;
  return (
    <>
      <p class="fine">{continuation ? sentSoFar : knowsNothing}</p>
      {continuation && <Continuation continuation={continuation} language={language} />}
    </>
  );
}

function Continuation(
  { continuation, language }: { continuation: ErrorContinuation; language: Language },
): VNode {
  const { receiver, ...destination } = continuation;
  const name = <bdi>{receiver}</bdi>;
  const label = <Phrase text={language.words.common.continueTo} parts={{ name }} />;
  if ("href" in destination) {
    return (
      <p>
        <a id="onward" href={destination.href}>{label}</a>
      </p>
    );
  }
  return (
    <form id="onward" method="post" action={destination.action}>
      <HiddenFields members={destination.members} />
      <button type="submit" class="secondary">{label}</button>
    </form>
  );
}
