/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../../core/core_lab.ts";
import type { LabPage, LabPageCall, LabPageRoute } from "../../../pages/page/lab_page.ts";
import { formAt, pageAt } from "../../../pages/page/page_routes.ts";
import { ActionForm } from "../../../pages/parts/form.tsx";
import { Count, Paged } from "../../../pages/parts/long_list.tsx";
import { Group, PageHead, Section } from "../../../pages/parts/section.tsx";
import { type Column, Empty, Table } from "../../../pages/parts/tables.tsx";
import { Tag } from "../../../pages/parts/tag.tsx";
import type { Exchange } from "../../../recording/exchange.ts";
import { groupBy } from "../../../util/lists.ts";
import {
  endSessionOrTokens,
  type LabSession,
  type ListedTokens,
  type SessionTools,
} from "../list_sessions.ts";

/** How many sessions the page of a user has. */
const maxShown = 10;

/** So many tokens of a client in one session are shown at once. */
const maxAlike = 3;

/** The page of sessions, and the form of its buttons. */
export const sessionPages: ReadonlyArray<LabPageRoute<SessionTools>> = [
  pageAt("/sessions", sessionPage),
  formAt(
    "/end-session",
    ({ context }, { form }) => endSessionOrTokens(context, form.get("id") ?? ""),
  ),
];

const noSessions = (
  <Empty title="No sessions yet">
    A session begins with a sign-in, and with tokens that a test mints.
  </Empty>
);

async function sessionPage(lab: CoreLab & SessionTools, call: LabPageCall): Promise<LabPage> {
  const { base, query } = call;
  const user = query.get("user") ?? undefined;
  const sessions = await lab.sessions({ user });
  const active = sessions.filter((each) => each.active);
  const over = sessions.filter((each) => !each.active);
  const path = `${base}/lab/sessions`;
  const columns = columnsFor(lab, call);
  return {
    title: "Sessions and tokens",
    area: "setup",
    isLive: true,
    content: (
      <>
        <PageHead
          title={user === undefined ? "Sessions and tokens" : <UserTitle user={user} />}
        >
          Where users are signed in, and what they allowed clients there. The clients of a session
          that ends get their logout tokens.
        </PageHead>
        <Section
          title="Sessions"
          id="sessions"
          live
          actions={<Count shown={active.length} all={active.length} />}
        >
          <Paged what="Sessions" list={active} path={path} query={query}>
            {(entries) => <Table columns={columns} entries={entries} empty={noSessions} />}
          </Paged>
        </Section>
        {over.length > 0 && (
          <Group
            id="without-session"
            title="Tokens without an active session"
            count={over.length}
            isFound={query.has("over")}
          >
            <p class="help">
              Those that a test minted, and those that outlive their session.
            </p>
            <Paged what="Tokens" list={over} path={path} query={query} parameter="over">
              {(entries) => <Table columns={columns} entries={entries} />}
            </Paged>
          </Group>
        )}
      </>
    ),
  };
}

/** The newest sessions of a user, on the page of that user. */
export async function userSessions(
  lab: CoreLab & SessionTools,
  call: LabPageCall,
  user: string,
): Promise<VNode> {
  const sessions = await lab.sessions({ user });
  const [, ...columns] = columnsFor(lab, call);
  const all = `${call.base}/lab/sessions?${new URLSearchParams({ user })}`;
  return (
    <Section
      title="Sessions and tokens"
      id="sessions"
      actions={<Count shown={Math.min(sessions.length, maxShown)} all={sessions.length} />}
    >
      <Table columns={columns} entries={sessions.slice(0, maxShown)} empty={noSessions} />
      {sessions.length > maxShown && (
        <p>
          <a href={all}>All of this user</a>
        </p>
      )}
    </Section>
  );
}

function UserTitle({ user }: { user: string }): VNode {
  return (
    <>
      Sessions and tokens of <bdi>{user}</bdi>
    </>
  );
}

function columnsFor(lab: CoreLab, call: LabPageCall): ReadonlyArray<Column<LabSession>> {
  const issuing = issuingRequests(lab);
  return [
    ["User", ({ user }) => (
      <a href={`${call.base}/lab/users/${encodeURIComponent(user)}`}>
        <code>{user}</code>
      </a>
    )],
    ["Session", (session) => <SignIn session={session} call={call} />],
    ["Tokens", ({ tokens }) => {
      if (tokens.length === 0) return <span class="muted">none</span>;
      return groupBy(tokens, ({ client }) => client).map((own) => {
        const list = (
          <ul class="plain">{own.map((each) => tokensEntry(call, each, issuing.get(each.id)))}</ul>
        );
        if (own.length <= maxAlike) return list;
        return (
          <details>
            <summary>
              <code>{own[0].client}</code>, {own.length} times
            </summary>
            {list}
          </details>
        );
      });
    }],
  ];
}

/** Returns the request that began each authorization, by its id, as far as it is recorded. */
function issuingRequests(lab: CoreLab): ReadonlyMap<string | undefined, Exchange> {
  return new Map(
    lab.exchanges().toReversed().flatMap((exchange) =>
      exchange.events.flatMap((event): Array<[string | undefined, Exchange]> =>
        event.type === "code.issued" ? [[event.authorization, exchange]] : []
      )
    ),
  );
}

function tokensEntry(
  call: LabPageCall,
  { id, client, scope }: ListedTokens,
  issuing: Exchange | undefined,
): VNode {
  return (
    <li>
      <code>{client}</code>: <code>{scope}</code>{" "}
      {issuing && (
        <a href={`${call.base}/lab/flows/request-${issuing.id}`}>
          flow of {new Date(issuing.at).toISOString().slice(11, 19)}
        </a>
      )} <EndButton call={call} id={id} label={`End the tokens of ${client}`} />
    </li>
  );
}

function SignIn({ session, call }: { session: LabSession; call: LabPageCall }): VNode {
  const { sid, active, user, authTime, acr, amr = [] } = session;
  return (
    <>
      <Tag tone={active ? "good" : "neutral"}>{active ? "active" : "no session"}</Tag>{" "}
      {authTime?.slice(0, 19).replace("T", " ")} {active && sid !== undefined &&
        <EndButton call={call} id={sid} label={`End this session of ${user}`} />}
      <p class="help">
        {acr} {amr.length > 0 && `(${amr.join(", ")})`}
      </p>
    </>
  );
}

function EndButton({ call, id, label }: { call: LabPageCall; id: string; label: string }): VNode {
  return (
    <ActionForm
      page={call}
      action="/end-session"
      back={call.here}
      fields={{ id }}
      look="danger"
      label={label}
    >
      End
    </ActionForm>
  );
}
