/** @jsxImportSource preact */
import type { VNode } from "preact";
import { redirectUriProblem } from "../../../server/protocol/redirect_uri.ts";
import { isLoopbackHost } from "../../../server/util/addresses/uri.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { describeFlow, exchangesOfFlow } from "../../flows/describe_flow.ts";
import { nameFlow } from "../../flows/flow_story.ts";
import { type Exchange, isReplay, parameterOf } from "../../recording/exchange.ts";
import { redactValue } from "../../recording/redact.ts";
import { refusalOf } from "../../recording/refusal.ts";
import { LabError } from "../../util/lab_error.ts";
import { type LabPageCall, type LabPageRoute, seePreviousPage } from "../page/lab_page.ts";
import { ShortName } from "../parts/copy_text.tsx";
import { ActionForm } from "../parts/form.tsx";
import { Comparison } from "../parts/tables.tsx";
import { Verdict } from "../parts/verdict.tsx";

/** The redirect URI of a refused request, which its client did not register. */
interface RefusedUri {
  /** The number of the request. */
  request: number;
  client: string;
  uri: string;
  /** The URI as pages show it: what looks like a credential in it is hidden. */
  shown: string;
  isRegistered: boolean;
  /** Why it cannot be registered. */
  problem: string | undefined;
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
  const exchanges = exchangesOfFlow(flow, lab.exchanges());
  const story = describeFlow(flow, exchanges, lab.issuer);
  const { refusal, kind, title } = story.outcome;
  const refused = refusal && refusedUriOf(lab, exchanges);
  const actions = (isPrimary: boolean) => (
    <>
      <a
        class={isPrimary ? "button" : "button secondary"}
        id="latest-flow"
        href={`${call.base}/lab/flows/${flow.id}`}
      >
        See what happened
      </a>
      <a href={`${call.base}/lab/flows`}>All flows</a>
    </>
  );
  if (refused?.isRegistered) {
    return (
      <Verdict
        id="listener"
        live
        tone="good"
        title="The redirect_uri is registered"
        actions={actions(false)}
      >
        <p>
          Sign in at your application again: <bdi>{refused.client}</bdi> may use{" "}
          <code>
            <bdi>{refused.shown}</bdi>
          </code>{" "}
          now.
        </p>
      </Verdict>
    );
  }
  const canRegister = refused !== undefined && refused.problem === undefined;
  // A redirect URI at another host is more often a mistake than one to register.
  const isLocal = canRegister && isLoopbackHost(new URL(refused.uri).hostname);
  return (
    <Verdict
      id="listener"
      live
      tone={kind}
      title={refusal
        ? "A request came, and was refused"
        : <bdi>{`${nameFlow(story)}: ${title}`}</bdi>}
      actions={
        <>
          {isLocal && registerForm(refused, call, "primary")}
          {actions(!isLocal)}
          {canRegister && !isLocal && registerForm(refused, call)}
        </>
      }
    >
      {refusal && (
        <>
          <p>
            <bdi>{nameFlow(story)}</bdi>: <code>{refusal.error}</code>{" "}
            <bdi>{refusal.description}</bdi>
          </p>
          <Comparison {...refusal} />
          {refused?.problem && <p>This redirect_uri cannot be registered: it {refused.problem}.</p>}
        </>
      )}
    </Verdict>
  );
}

/** The form names the request: what is registered is what the request had, and not what is shown. */
function registerForm(
  { request, shown }: RefusedUri,
  call: LabPageCall,
  look?: "primary",
): VNode {
  return (
    <ActionForm
      page={call}
      action="/register-redirect-uri"
      back={call.here}
      {...look && { look }}
      id="register-uri"
      fields={{ request: String(request) }}
    >
      Register <ShortName name={shown} />
    </ActionForm>
  );
}

/** The form that adds the redirect URI of a refused request to its client. */
export const listenerPages: readonly LabPageRoute[] = [{
  method: "POST",
  path: "/register-redirect-uri",
  handle(lab, call) {
    const request = Number(call.form.get("request"));
    const refused = refusedUriOf(lab, lab.exchanges().filter(({ id }) => id === request));
    if (!refused) throw new LabError("The lab no longer knows the refused request.");
    const client = lab.clients.get(refused.client);
    const redirectUris = [...new Set([...client.redirectUris ?? [], refused.uri])];
    lab.clients.put({ ...client, redirectUris });
    return seePreviousPage(call);
  },
}];

/** Tenants have clients of their own, which their own pages change. */
function refusedUriOf(lab: CoreLab, exchanges: readonly Exchange[]): RefusedUri | undefined {
  const exchange = exchanges.findLast((each) => !isReplay(each) && refusalOf(each));
  if (!exchange || exchange.tenant !== undefined) return undefined;
  const { rule, received } = refusalOf(exchange) ?? {};
  const uri = parameterOf(exchange.request, "redirect_uri");
  const client = lab.clients.list().find(({ id }) => id === exchange.request.client);
  if (rule !== "redirect_uri.registered" || !client || !uri || !received) return undefined;
  // The server may have read another one, from a request object.
  if (redactValue(uri) !== received) return undefined;
  const { insecure } = lab.settings.config();
  return {
    request: exchange.id,
    client: client.id,
    uri,
    shown: received,
    isRegistered: client.redirectUris?.includes(uri) ?? false,
    problem: redirectUriProblem(uri, insecure?.httpRedirectUris !== false),
  };
}
