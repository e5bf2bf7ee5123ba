/** @jsxImportSource preact */
import type { UntrustedClientNotice } from "../protocol/client_trust.ts";

/** What every page says that names a client. */
export interface ClientWarningProps {
  /** Present if the operator does not answer for the client. */
  untrustedClient?: UntrustedClientNotice;
}

/** What a page says about a client. */
export interface AboutClientProps extends ClientWarningProps {
  /** What the client wants people to be able to read about it. */
  links: Array<{ name: string; href: string }>;
}

export function Warning({ untrustedClient }: ClientWarningProps) {
  if (!untrustedClient) return null;
  const { host, receivers } = untrustedClient;
  return (
    <p class="alert" id="stranger">
      {host
        ? (
          <>
            This application describes itself at <strong>{host}</strong>.
          </>
        )
        : <>This application registered itself.</>} Nobody here has checked who it is.
      {receivers.length > 0 && (
        <>
          {" "}What you allow goes to <Receivers receivers={receivers} />.
        </>
      )}
    </p>
  );
}

/** Each one stands apart: the client chooses their names. */
export function Receivers({ receivers }: Pick<UntrustedClientNotice, "receivers">) {
  return (
    <>
      {receivers.map((receiver, at) => (
        <>
          {at > 0 && " and "}
          <strong>{receiver}</strong>
        </>
      ))}
    </>
  );
}

/** Links, and nothing that is loaded from elsewhere: a logo would tell its owner who looks at it. */
export function Links({ links }: Pick<AboutClientProps, "links">) {
  if (links.length === 0) return null;
  return (
    <p class="fine" id="about-client">
      What it says about itself:
      {links.map(({ name, href }, at) => (
        <>
          {at === 0 ? " " : ", "}
          <a href={href} target="_blank" rel="noopener noreferrer">{name}</a>
        </>
      ))}
    </p>
  );
}
