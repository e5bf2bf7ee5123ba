/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { UntrustedClientNotice } from "../protocol/client_trust.ts";
import type { Language } from "./languages/languages.ts";
import { ListPhrase, Phrase } from "./languages/phrases.tsx";

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

/** What a page shows about a user. */
export interface DescribedUser {
  /** The user name, which is typed at sign-in. */
  userName: string;
  /** The full name, if it is known. */
  name?: string | undefined;
  /** The e-mail address, if it is known. */
  email?: string | undefined;
}

/** Returns the name that a user goes by: the full name, or else the user name. */
export function displayName({ name, userName }: DescribedUser): string {
  return name ?? userName;
}

/**
 * Shows who is signed in, on lines of their own. `bdi` keeps a name in another script from
 * reordering the text around it.
 */
export function UserIdentity({ user }: { user: DescribedUser }): VNode {
  const { name, email, userName } = user;
  // Two users may share a name.
  const other = email ?? (name && userName);
  return (
    <p class="identity">
      <bdi class="name">{displayName(user)}</bdi>
      {other && <bdi class="email">{other}</bdi>}
    </p>
  );
}

/** Shows the name of a client on a separate line. The client may have chosen the name. */
export function ClientName({ name }: { name: string }): VNode {
  return (
    <p class="party">
      <bdi>{name}</bdi>
    </p>
  );
}

export function Warning({ language, untrustedClient }: ClientWarningProps & {
  language: Language;
}): VNode | null {
  if (!untrustedClient) return null;
  const { host, receivers } = untrustedClient;
  const words = language.words.untrustedClient;
  return (
    <p class="alert" id="stranger">
      {host
        ? <Phrase text={words.describesItself} parts={{ host: <strong>{host}</strong> }} />
        : words.registeredItself} {words.notVerified}
      {receivers.length > 0 && (
        <>
          {" "}
          <Phrase
            text={words.sentTo}
            parts={{ receivers: <Receivers receivers={receivers} language={language} /> }}
          />
        </>
      )}
    </p>
  );
}

/** Sets each receiver apart, because the client chooses their names. */
export function Receivers({ receivers, language }: UntrustedClientNotice & {
  language: Language;
}): VNode {
  const entries = receivers.map((receiver) => (
    <strong>
      <bdi>{receiver}</bdi>
    </strong>
  ));
  return <ListPhrase language={language} entries={entries} />;
}

/** Shows links and loads nothing: the owner of a logo would learn who looks at it. */
export function Links({ links, language }: AboutClientProps & {
  language: Language;
}): VNode | null {
  if (links.length === 0) return null;
  return (
    <p class="fine" id="about-client">
      {language.words.clientLinks.about}
      {links.map(({ name, href }, at) => (
        <>
          {at === 0 ? " " : " · "}
          <a href={href} target="_blank" rel="noopener noreferrer">{name}</a>
        </>
      ))}
    </p>
  );
}
