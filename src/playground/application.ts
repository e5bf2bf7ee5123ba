import page from "../../static/playground_application.html" with { type: "text" };
import prelude from "../../static/playground_prelude.js" with { type: "text" };
import { sourceOf } from "./broken_applications.ts";
import {
  type ApplicationMessage,
  applicationUri,
  isBelow,
  type PassedRequest,
  type PassedResponse,
} from "./messages.ts";

/** What the application may do with the lab of its tab. */
export interface PlaygroundLab {
  issuer: string;
  /** Sends a request to the lab, which responds on the port. */
  send(request: PassedRequest, port: MessagePort): void;
  /** Shows a page in the frame of the lab. */
  show(url: string): void;
}

export interface ApplicationPanel {
  /** Runs the application, with the mistake of a name. */
  run(name: string): Promise<void>;
  /** Receives the URL that the browser came back with. */
  receive(url: string): void;
}

/** What the lab's report has about a client: the part that is shown here. */
interface ReportedEntry {
  title: string;
  received?: string;
  fix?: string;
}

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

/** Opens the panel with the application and its source. */
export function openApplication(lab: PlaygroundLab): ApplicationPanel {
  const source = element<HTMLTextAreaElement>("source");
  let frame = element<HTMLIFrameElement>("application-frame");
  let callback: MessagePort | undefined;
  let known = new Set<string>();

  /** Begins the application again, with the source as it is edited. */
  async function runSource(): Promise<void> {
    callback = undefined;
    known = new Set((await readReport(lab)).map((entry) => JSON.stringify(entry)));
    showVerdict([]);
    // A new frame adds no entry to the history of the tab.
    const fresh = frame.cloneNode() as HTMLIFrameElement;
    fresh.srcdoc = documentOf(source.value, lab.issuer);
    frame.replaceWith(fresh);
    frame = fresh;
  }

  async function showReport(): Promise<void> {
    const entries = await readReport(lab);
    showVerdict(entries.filter((entry) => !known.has(JSON.stringify(entry))));
  }

  addEventListener("message", ({ source: sender, data, ports: [port] }) => {
    // The origin of a sandboxed frame is opaque: its window is what identifies it.
    if (sender !== frame.contentWindow || !port) return;
    const asked = data as ApplicationMessage;
    if (asked.type === "fetch") {
      passRequest(lab, asked.request, port, showReport);
    } else if (isBelow(new URL(asked.url).href, lab.issuer)) {
      callback = port;
      lab.show(asked.url);
      element("lab").scrollIntoView({ block: "nearest" });
    }
  });
  element("run").addEventListener("click", () => void runSource());

  return {
    run: (name) => {
      source.value = sourceOf(name);
      for (const link of document.querySelectorAll<HTMLAnchorElement>("#mistakes a")) {
        const isShown = link.hash === `#app=${name}`;
        if (isShown) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
      return runSource();
    },
    receive(url) {
      callback?.postMessage(url);
      frame.scrollIntoView({ block: "nearest" });
      callback = undefined;
      void showReport();
    },
  };
}

/** Passes a request on, if it is for the lab. The application reaches nothing else. */
function passRequest(
  lab: PlaygroundLab,
  { url, method, headers, body }: PassedRequest,
  port: MessagePort,
  afterwards: () => void,
): void {
  if (!isBelow(new URL(url).href, lab.issuer)) return port.postMessage(null);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<PassedResponse>) => {
    port.postMessage(data);
    afterwards();
  };
  lab.send({ url, method, headers, body, isOfApplication: true }, port2);
}

/** Reads what the report of the lab has about clients. */
function readReport(lab: PlaygroundLab): Promise<ReportedEntry[]> {
  const { port1, port2 } = new MessageChannel();
  lab.send({
    url: `${lab.issuer}/lab/report`,
    method: "GET",
    headers: [["Accept", "application/json"]],
    isOfApplication: true,
  }, port2);
  return new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<PassedResponse>) => {
      if (typeof data.body !== "string" || data.status !== 200) return resolve([]);
      const { findings, refused } = JSON.parse(data.body);
      resolve([...findings, ...refused]);
    };
  });
}

function showVerdict(entries: readonly ReportedEntry[]): void {
  element("verdict").replaceChildren(...entries.map(({ title, received, fix = "" }) => {
    const item = document.createElement("li");
    const found = document.createElement("strong");
    found.textContent = title;
    const came = received === undefined ? "" : ` Received: ${received}.`;
    item.append(found, `${came} ${fix}`);
    return item;
  }));
  element("reported").hidden = entries.length === 0;
}

/**
 * Returns the document of the application. Its frame is sandboxed: it has an opaque origin, and
 * reaches neither the shell nor the lab's cookies. The policy lets it connect to nowhere, so its
 * requests are messages to the shell, which passes on those for the lab alone. The page around it
 * lets its frames go to no other origin.
 */
function documentOf(source: string, issuer: string): string {
  const values = { issuer, clientId: "demo-spa", redirectUri: applicationUri(issuer) };
  const constants = Object.entries(values)
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`);
  const parts = { prelude: [...constants, prelude].join("\n"), source };
  return page.replaceAll(
    /\/\* (prelude|source) \*\//g,
    (_, name: keyof typeof parts) => asScript(parts[name]),
  );
}

/** Keeps text from ending the element that it is in. */
function asScript(text: string): string {
  return text.replaceAll(/<(?=\/script|!--)/gi, "<\\");
}
