/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UntrustedClientNotice } from "../protocol/client_trust.ts";

/** The warning of every page that names a client. */
export interface ClientWarningProps {
  /** Present if the client is untrusted. */
  untrustedClient?: UntrustedClientNotice | undefined;
}

/** A link to a page of the client. */
export interface ClientLink {
  /** What the page is about. */
  name: string;
  /** The URL of the page. */
  href: string;
}

/** What a page shows about a client. */
export interface AboutClientProps extends ClientWarningProps {
  /** The pages that the client registered. */
  links: ClientLink[];
}

/** Warns about an untrusted client. */
export function Warning({ untrustedClient }: ClientWarningProps): VNode | null {
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
        : <>This application registered itself.</>} Its identity is not verified.
      {receivers.length > 0 && (
        <>
          {" "}What you allow is sent to <Receivers receivers={receivers} />.
        </>
      )}
    </p>
  );
}

/** Sets each receiver apart, because the client chooses their names. */
export function Receivers({ receivers }: Pick<UntrustedClientNotice, "receivers">): VNode {
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

/** Shows links and loads nothing: the owner of a logo would learn who looks at it. */
export function Links({ links }: Pick<AboutClientProps, "links">): VNode | null {
  if (links.length === 0) return null;
  return (
    <p class="fine" id="about-client">
      About this application:
      {links.map(({ name, href }, at) => (
        <>
          {at === 0 ? " " : ", "}
          <a href={href} target="_blank" rel="noopener noreferrer">{name}</a>
        </>
      ))}
    </p>
  );
}
