/** @jsxImportSource preact */
import type { VNode } from "preact";
import { type Content, Frame, type FrameProps } from "../../pages/frame.tsx";
import { ClientName } from "../../pages/parties.tsx";

/** A page that confirms a decision. The client continues elsewhere. */
export function Decided(
  { kind, words, clientName, allowed, children, ...frame }: FrameProps & {
    /** The kind of the request, in the id of the section. */
    kind: "device" | "backchannel";
    words: Record<"allowed" | "continues" | "denied" | "noAccess", string>;
    clientName: string;
    allowed: boolean;
    /** The last line. */
    children: Content;
  },
): VNode {
  const title = allowed ? words.allowed : words.denied;
  return (
    <Frame {...frame} title={title} width="narrow">
      <section class="card" id={`${kind}-${allowed ? "allowed" : "denied"}`}>
        <h1 class={allowed ? "succeeded" : undefined}>{title}</h1>
        <ClientName name={clientName} />
        <p class="lead">{allowed ? words.continues : words.noAccess}</p>
        {children}
      </section>
    </Frame>
  );
}
