/** @jsxImportSource preact */
import type { Stranger } from "../protocol/stranger.ts";

export interface AboutClientProps {
  /** What there is to say of a client that the operator does not know. */
  stranger?: Stranger;
  /** What the client wants people to be able to read about it. */
  links: Array<{ name: string; href: string }>;
}

export function Warning({ stranger }: Pick<AboutClientProps, "stranger">) {
  if (!stranger) return null;
  const { host, receiver } = stranger;
  return (
    <p class="alert" id="stranger">
      {host
        ? (
          <>
            This application describes itself at <strong>{host}</strong>.
          </>
        )
        : <>This application registered itself.</>} Nobody here has checked who it is.
      {receiver && (
        <>
          {" "}What you allow goes to <strong>{receiver}</strong>.
        </>
      )}
    </p>
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
