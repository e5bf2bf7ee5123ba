/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import type { FeatureInterface } from "../../pages/page/feature_interface.ts";
import { CopyText } from "../../pages/parts/copy_text.tsx";
import { CheckBox } from "../../pages/parts/fields.tsx";
import { findMcpServer } from "./find_mcp_server.ts";

/** What other pages show of the MCP server. */
export const mcpInterface: FeatureInterface = {
  additions: {
    "what clients need": (_base, _name, lab) => urlOf(lab),
    "an option of a drill": (_base, chosen, lab) => {
      const labs = [lab, ...lab.tenants.all()];
      if (labs.every((each) => findMcpServer(each).url === undefined)) return undefined;
      return (
        <CheckBox
          name="mcp"
          label="A client of the Model Context Protocol: its callback calls a tool of /mcp"
          checked={chosen === "mcp"}
        />
      );
    },
  },
};

function urlOf(lab: CoreLab): VNode | undefined {
  const { url } = findMcpServer(lab);
  if (url === undefined) return undefined;
  return (
    <>
      <br />An MCP client needs only: <CopyText what="MCP server" text={url} />
    </>
  );
}
