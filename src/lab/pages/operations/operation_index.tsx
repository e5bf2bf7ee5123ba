/** @jsxImportSource preact */
import type { OperationDescription } from "../../core/operation.ts";
import type { LabPageRoute } from "../page/lab_page.ts";
import { pageAt } from "../page/page_routes.ts";
import { Count, FilterForm, hasWords } from "../parts/long_list.tsx";
import { PageHead, Section } from "../parts/section.tsx";
import { Empty, Table } from "../parts/tables.tsx";
import { Tag } from "../parts/tag.tsx";

export function createOperationIndex(operations: readonly OperationDescription[]): LabPageRoute {
  return pageAt("/api", (_lab, { base, query }) => {
    const found = operations.filter((each) => hasWords(textOf(each), query.get("q")));
    const path = `${base}/lab/api`;
    return {
      title: "HTTP API",
      area: "setup",
      isLive: true,
      content: (
        <>
          <PageHead title="HTTP API">
            All that a test can do here: on the page of an operation, from any language, with{" "}
            <code>hallpass call</code>, and where it says so, as a tool of an agent. For machines:
            {" "}
            <a href={`${base}/lab/openapi.json`}>OpenAPI</a>.
          </PageHead>
          <FilterForm action={path} label="Find an operation" hint="clock, clients" query={query} />
          <Section
            title="Operations"
            id="operations"
            live
            actions={<Count shown={found.length} all={operations.length} />}
          >
            <Table<OperationDescription>
              entries={found}
              empty={<Empty title="No operation matches" />}
              columns={[
                ["Name", ({ name }) => <a href={`${base}/lab/call/${name}`}>{name}</a>],
                ["Request", ({ method, path }) => (
                  <>
                    <Tag>{method}</Tag> <code>{path}</code>
                  </>
                )],
                ["What it does", ({ summary, agents }) => (
                  <>
                    {summary} {agents && <Tag>for agents</Tag>}
                  </>
                )],
              ]}
            />
          </Section>
        </>
      ),
    };
  });
}

function textOf({ name, method, path, summary }: OperationDescription): string {
  return [name, method, path, summary].join(" ");
}
