/** @jsxImportSource preact */
import type { VNode } from "preact";
import { featuresOf, type OpenRequest } from "../../../../server/issuer/active_features.ts";
import { listUsers } from "../../../../server/issuer/directory/directory_entries.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import { ActionForm } from "../../../pages/parts/form.tsx";
import { Count } from "../../../pages/parts/long_list.tsx";
import { PageHead, Section } from "../../../pages/parts/section.tsx";
import { type Column, Empty, Table } from "../../../pages/parts/tables.tsx";
import type { CibaTools } from "../approvals.ts";

type ShownRequest = OpenRequest & { user: string };

/** The page of the requests that wait for users, and the form of its buttons. */
export const approvalPages: ReadonlyArray<LabPageRoute<CibaTools>> = [
  pageAt("/approvals", approvalPage),
  formAt("/decide", async (lab, { form }) => {
    const client = form.get("client") ?? undefined;
    await lab.approve(form.get("user") ?? "", { client, deny: form.get("decision") === "deny" });
  }),
];

async function approvalPage({ context: ctx }: CoreLab, call: LabPageCall): Promise<LabPage> {
  const users = (await listUsers(ctx)).map(({ value }) => value);
  const waiting = await Promise.all(users.map(async (user): Promise<ShownRequest[]> => {
    const requests = await featuresOf(ctx).waitingFor(ctx, user);
    return requests.map((request) => ({ ...request, user: user.name }));
  }));
  const requests = waiting.flat();
  const count = <Count shown={requests.length} all={requests.length} />;
  return {
    title: "Requests over the back channel",
    area: "setup",
    isLive: true,
    content: (
      <>
        <PageHead title="Requests over the back channel">
          What clients ask users who are elsewhere (CIBA). Users decide on their account page, on
          this page, or with <code>lab.approve</code>.
        </PageHead>
        <Section title="Waiting" id="waiting" live actions={count}>
          {requests.length > 0
            ? <Table columns={columnsFor(call)} entries={requests} />
            : (
              <Empty title="No request waits">
                The page of each client with this grant has a command that sends one.
              </Empty>
            )}
        </Section>
      </>
    ),
  };
}

function columnsFor(call: LabPageCall): ReadonlyArray<Column<ShownRequest>> {
  return [
    ["User", ({ user }) => <code>{user}</code>],
    ["Client", ({ pending }) => <code>{pending.clientId}</code>],
    ["Message", ({ bindingMessage }) => bindingMessage ?? <span class="muted">none</span>],
    ["Scope", ({ pending }) => <code>{pending.scope.join(" ")}</code>],
    ["Decision", (request) => (
      <>
        <DecideButton call={call} request={request} decision="allow" />{" "}
        <DecideButton call={call} request={request} decision="deny" />
      </>
    )],
  ];
}

function DecideButton(
  { call, request, decision }: {
    call: LabPageCall;
    request: ShownRequest;
    decision: "allow" | "deny";
  },
): VNode {
  const { user, pending: { clientId: client } } = request;
  const word = decision === "allow" ? "Allow" : "Deny";
  return (
    <ActionForm
      page={call}
      action="/decide"
      back={call.here}
      fields={{ user, client, decision }}
      look={decision === "allow" ? "secondary" : "danger"}
      label={`${word} the request of ${client} for ${user}`}
    >
      {word}
    </ActionForm>
  );
}
