/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { CopyText } from "./copy_text.tsx";
import { Empty } from "./tables.tsx";

/** Shown in place of what clients would fill, with what leads one here. */
export function NoClientYet(
  { lab, homeUrl, title }: { lab: CoreLab; homeUrl: string; title: string },
): VNode {
  const actions = <a class="button secondary" href={homeUrl}>Connect your application</a>;
  return (
    <Empty title={title} actions={actions}>
      What your application does appears here, once it signs users in at{" "}
      <CopyText what="issuer" text={lab.issuer} />
    </Empty>
  );
}
