/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow, exchangesOfFlow } from "../../flows/describe_flow.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { type LabPageCall, type LabPageRoute, seePreviousPage } from "../page/lab_page.ts";
import { ActionForm } from "../parts/form.tsx";
import { Comparison } from "../parts/tables.tsx";
import { Verdict } from "../parts/verdict.tsx";

/** The redirect URI that a request had, and the client that did not register it. */
interface RefusedUri {
  client: string;
  uri: string;
}

/** Waits for requests of an application, and shows what became of the latest flow. */
export function listener(lab: CoreLab, call: LabPageCall): VNode {
  const flow = lab.flows().at(-1);
  if (!flow) {
    return (
      <Verdict
        id="listener"
        live
        tone="neutral"
        title="Waiting for the first request of your application …"
      >
        <p class="help">It appears here as it comes, with what is wrong about it.</p>
      </Verdict>
    );
  }
  const { refusal, kind, title } = storyOf(lab, flow).outcome;
  const refused = refusedUriOf(lab, flow);
  const isRegistered = refused && redirectUrisOf(lab, refused.client).includes(refused.uri);
  const actions = (
    <>
      {refused && !isRegistered && (
        <ActionForm
          page={call}
          action="/register-redirect-uri"
          back={call.here}
          look="primary"
          id="register-uri"
          fields={{ ...refused }}
        >
          Register {refused.uri}
        </ActionForm>
      )}
      <a class="button secondary" id="latest-flow" href={`${call.base}/lab/flows/${flow.id}`}>
        See what happened
      </a>
      <a href={`${call.base}/lab/flows`}>All flows</a>
    </>
  );
  if (refused && isRegistered) {
    return (
      <Verdict
        id="listener"
        live
        tone="good"
        title="The redirect_uri is registered"
        actions={actions}
      >
        <p>
          Sign in at your application again: <bdi>{refused.client}</bdi> may use{" "}
          <code>{refused.uri}</code> now.
        </p>
      </Verdict>
    );
  }
  const name = nameFlow(storyOf(lab, flow));
  return (
    <Verdict
      id="listener"
      live
      tone={kind}
      title={refusal ? "A request came, and was refused" : `${name}: ${title}`}
      actions={actions}
    >
      {refusal && (
        <>
          <p>
            <bdi>{name}</bdi>: <code>{refusal.error}</code> {refusal.description}
          </p>
          <Comparison {...refusal} />
        </>
      )}
    </Verdict>
  );
}

/** The form that adds the redirect URI of a refused request to its client. */
export const listenerPages: readonly LabPageRoute[] = [{
  method: "POST",
  path: "/register-redirect-uri",
  handle(lab, call) {
    const [id, uri] = ["client", "uri"].map((name) => call.form.get(name) ?? "") as [
      string,
      string,
    ];
    const client = lab.clients.get(id);
    const redirectUris = [...new Set([...client.redirectUris ?? [], uri])];
    lab.clients.put({ ...client, redirectUris });
    return seePreviousPage(call);
  },
}];

function storyOf(lab: CoreLab, flow: FlowTrace) {
  return describeFlow(flow, exchangesOfFlow(flow, lab.exchanges()), lab.issuer);
}

/** Tenants have clients of their own, which their own pages change. */
function refusedUriOf(lab: CoreLab, flow: FlowTrace): RefusedUri | undefined {
  const { rule, received } = storyOf(lab, flow).outcome.refusal ?? {};
  const { client, tenant } = flow;
  const isKnown = lab.clients.list().some(({ id }) => id === client);
  if (rule !== "redirect_uri.registered" || tenant !== undefined || !isKnown) return undefined;
  return client !== undefined && received !== undefined ? { client, uri: received } : undefined;
}

function redirectUrisOf(lab: CoreLab, client: string): readonly string[] {
  return lab.clients.get(client).redirectUris ?? [];
}
