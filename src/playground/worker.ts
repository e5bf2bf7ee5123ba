import page from "../../static/playground_back.html" with { type: "text" };
import { createCookies } from "../lab/browser/stored_cookies.ts";
import { features } from "../lab/features.ts";
import { loadCompletion } from "../lab/handling/complete_settings.ts";
import type { Lab } from "../lab/lab.ts";
import type { LabConfig } from "../lab/lab_config.ts";
import { openLab } from "../lab/open_lab.ts";
import { createIncomingRequest, type RequestHeaders } from "../server/http/incoming_request.ts";
import { OutboundError } from "../server/http/outbound_fetch.ts";
import type { HeaderList, ResponseData } from "../server/http/response_data.ts";
import {
  applicationUri,
  type LabStart,
  type PassedRequest,
  type PassedResponse,
  type WorkerReport,
} from "./messages.ts";

/** The part of the worker's global object that it uses. */
const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<LabStart | PassedRequest>) => void) | null;
  postMessage(report: WorkerReport): void;
};

const command = "npx -y deno task start";
const confined = {
  reason: "This lab runs in a browser tab, and reaches nothing outside of it. " +
    "The same lab on your machine does, with:",
  command,
};
const nothingLeaves = `a lab in a browser tab sends nothing out; run it with: ${command}`;

const cookies = createCookies(Date.now);
let labUrl = "";
let opening: Promise<Lab> | undefined;

scope.onmessage = ({ data, ports: [port] }) => {
  if (!("method" in data)) {
    labUrl = data.url;
    opening = open(data.provider);
    opening.then(
      ({ issuer }) => scope.postMessage({ type: "ready", issuer }),
      (cause) => scope.postMessage({ type: "failed", reason: String(cause) }),
    );
  } else if (port) {
    void pass(data, port);
  }
};

async function open(provider: LabStart["provider"]): Promise<Lab> {
  const given = {
    ...provider !== undefined && { provider },
    issuer: labUrl,
    redirectUris: [applicationUri(labUrl)],
    confined,
    notice: "Test only: runs and ends in this tab. Nothing leaves it.",
    fetch: () => Promise.reject(new OutboundError(nothingLeaves)),
  };
  const complete = await loadCompletion(given, features);
  const lab = openLab(complete(given) as LabConfig);
  await lab.openConfiguredTenants();
  lab.subscribe((event) => {
    // What else an event has may be an error, which no message can have.
    const { type } = event;
    scope.postMessage({ type: "event", event: type === "clock.moved" ? event : { type } });
  });
  return lab;
}

/** Responds on the port of a request. An error of the lab must not leave the page waiting. */
async function pass(request: PassedRequest, port: MessagePort): Promise<void> {
  try {
    const lab = await opening!;
    const isBack = request.url.startsWith(applicationUri(labUrl));
    const response = isBack ? backInApplication() : await respond(lab, request);
    if (response.body instanceof ReadableStream) {
      port.postMessage({ ...passed(response), body: undefined } satisfies PassedResponse);
      await sendParts(response.body, port);
    } else {
      port.postMessage({ ...passed(response), body: response.body } satisfies PassedResponse);
    }
    scope.postMessage({ type: "flows", count: lab.flows().length });
  } catch (cause) {
    const headers: PassedResponse["headers"] = [["Content-Type", "text/plain"]];
    port.postMessage({ status: 500, headers, body: `The lab failed: ${cause}` });
  }
}

/** Adds the cookies of the lab, which it keeps itself: browsers let no service worker see them. */
async function respond(lab: Lab, { url, method, headers, body, isOfApplication }: PassedRequest) {
  const cookie = isOfApplication ? undefined : cookies.headerFor(url);
  const sent = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  if (cookie !== undefined) sent.set("cookie", cookie);
  const request = new Request(url, { method, ...body && { body } });
  const response = await lab.respond(
    createIncomingRequest(request, { headers: headersOf(sent), peer: "127.0.0.1" }),
  );
  if (!isOfApplication) {
    cookies.store(url, new Headers(response.headers as Array<[string, string]>));
  }
  return response;
}

/** The page that the browser sees while the application reads the URL that it came back with. */
function backInApplication(): ResponseData {
  const style = new URL("playground.css", location.href).pathname;
  const body = page.replace("{style}", style).replaceAll("{lab}", labUrl);
  return { status: 200, headers: [["Content-Type", "text/html; charset=utf-8"]], body };
}

/** Browsers drop a `Cookie` from headers of the platform. */
function headersOf(sent: ReadonlyMap<string, string>): RequestHeaders {
  return {
    get: (name) => sent.get(name.toLowerCase()) ?? null,
    has: (name) => sent.has(name.toLowerCase()),
    [Symbol.iterator]: () => sent[Symbol.iterator](),
  };
}

/** Lets the shell, and only pages of its origin, show pages of the lab in a frame. */
function passed({ status, headers }: ResponseData): Pick<PassedResponse, "status" | "headers"> {
  const kept: HeaderList = headers.filter(([name]) =>
    !/^(set-cookie|x-frame-options)$/i.test(name)
  );
  return {
    status,
    headers: kept.map(([name, value]) => [
      name,
      value.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    ]),
  };
}

async function sendParts(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  port: MessagePort,
): Promise<void> {
  const reader = body.getReader();
  port.onmessage = () => void reader.cancel();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    port.postMessage(part.value);
  }
  port.postMessage(null);
}
