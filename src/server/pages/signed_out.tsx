/** @jsxImportSource preact */
import type { VNode } from "preact";
import { Frame, type FrameProps } from "./frame.tsx";
import { Phrase } from "./languages/phrases.tsx";
import { type ClientWarningProps, Warning } from "./parties.tsx";

/** The props of the page that confirms a sign-out. */
export interface SignedOutProps extends FrameProps, ClientWarningProps {
  /** The front-channel logout URLs of applications. Each one is loaded in a hidden frame. */
  logoutUrls: readonly string[];
  /** Where the user can continue: at an application with a name, or at our home page. */
  next?: { url: string; name?: string } | undefined;
  /** Whether the page redirects to `next` without a click, once all frames have loaded. */
  redirects: boolean;
  /** For developers: why the `post_logout_redirect_uri` cannot be used. */
  hint?: string | undefined;
}

/** The default page `signedOut`. */
export function SignedOut(props: SignedOutProps): VNode {
  const { language, logoutUrls, next, redirects, untrustedClient, hint } = props;
  const words = language.words.signedOut;
  const address = <code dir="ltr">{next?.url.split("?")[0]}</code>;
  return (
    <Frame
      {...props}
      title={words.title}
      width="narrow"
      script={redirects ? "signed_out.js" : undefined}
    >
      <section class="card">
        <h1 class="succeeded">{words.heading}</h1>
        {next && <Warning {...props} />}
        <NextLink {...props} />
        {next && untrustedClient && (
          <p class="fine">
            <Phrase text={words.leadsTo} parts={{ address }} />
          </p>
        )}
        {hint && <p id="hint" class="fine" lang="en" dir="ltr">{hint}</p>}
      </section>
      {/* The client's page clears its own cookies and storage, but cannot navigate this page. */}
      {logoutUrls.map((url) => (
        <iframe src={url} title={words.frame} sandbox="allow-scripts allow-same-origin" hidden />
      ))}
    </Frame>
  );
}

function NextLink({ base, language, next }: SignedOutProps): VNode {
  const words = language.words.common;
  if (!next) {
    return (
      <p>
        <a id="home" href={`${base}/`}>{words.home}</a>
      </p>
    );
  }
  return (
    <p>
      <a id="continue" class="button" href={next.url}>
        {next.name === undefined
          ? words.home
          : <Phrase text={words.continueTo} parts={{ name: <bdi>{next.name}</bdi> }} />}
      </a>
    </p>
  );
}
