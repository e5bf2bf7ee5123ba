import page from "../../static/playground_application.html" with { type: "text" };
import prelude from "../../static/playground_prelude.js" with { type: "text" };
import { mistakeIn, sourceOf } from "./broken_applications.ts";
import {
  type ApplicationMessage,
  applicationUri,
  isBelow,
  type PassedRequest,
  type PassedResponse,
} from "./messages.ts";

/** What the application may do with the lab of its tab. */
export interface PlaygroundLab {
  /** Where it is, below the folder of the playground. */
  url: string;
  /** Returns the issuer, which a provider may have below the URL. */
  issuer(): string;
  send(request: PassedRequest): Promise<PassedResponse>;
  /** Shows a page in the frame of the lab. */
  show(url: string): void;
  /** Shows a page in place of the one that is there, which is no longer in the history. */
  showInstead(url: string): void;
}

export type ApplicationPanel = ReturnType<typeof openApplication>;

/** What the lab's report has about a client: the part that is shown here. */
interface ReportedEntry {
  title: string;
  received?: string;
  fix?: string;
}

const element = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;

export function openApplication(lab: PlaygroundLab) {
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
    fresh.srcdoc = documentOf(source.value, lab);
    frame.replaceWith(fresh);
    frame = fresh;
  }

  async function showReport(): Promise<void> {
    const entries = await readReport(lab);
    showVerdict(entries.filter((entry) => !known.has(JSON.stringify(entry))));
  }

  addEventListener("message", async ({ source: sender, data, ports: [port] }) => {
    // The origin of a sandboxed frame is opaque: its window is what identifies it.
    if (sender !== frame.contentWindow || !port) return;
    const asked = data as ApplicationMessage;
    const { href } = new URL(asked.type === "open" ? asked.url : asked.request.url);
    // The application reaches nothing but the lab.
    if (!isBelow(href, lab.url)) return port.postMessage(null);
    if (asked.type === "fetch") {
      const { url, method, headers, body } = asked.request;
      port.postMessage(await lab.send({ url, method, headers, body, isOfApplication: true }));
      await showReport();
    } else {
      callback = port;
      lab.show(asked.url);
      element("lab").scrollIntoView({ block: "nearest" });
    }
  });
  element("run").addEventListener("click", () => {
    hint("Your version acts with the next sign-in.");
    void runSource();
  });
  // A line that moves is no longer where it was marked.
  source.addEventListener("input", () => source.classList.remove("marked"));

  return {
    /** Runs the application, with the mistake of a name. */
    run: (name: string) => {
      source.value = sourceOf(name);
      markMistake(source, name);
      for (const link of document.querySelectorAll<HTMLAnchorElement>("#mistakes a")) {
        const isShown = link.hash === `#app=${name}`;
        if (isShown) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
      return runSource();
    },
    /** Receives the URL that the browser came back with. */
    receive(url: string): void {
      callback?.postMessage(url);
      frame.scrollIntoView({ block: "nearest" });
      callback = undefined;
      void showReport();
      void showFlow(lab);
    },
  };
}

/** Marks the lines of the mistake, and shows them. */
function markMistake(source: HTMLTextAreaElement, name: string): void {
  const mistake = mistakeIn(name);
  source.classList.toggle("marked", mistake !== undefined);
  hint(mistake ? `Line ${mistake.line} is the mistake. It acts with the next sign-in.` : "");
  const { line = 1, count = 0 } = mistake ?? {};
  source.style.setProperty("--line", String(line - 1));
  source.style.setProperty("--count", String(count));
  const lines = source.value.split("\n").length;
  source.scrollTop = source.scrollHeight * (line - 1) / lines - source.clientHeight / 3;
}

function hint(text: string): void {
  element("hint").textContent = text;
  element("hint").hidden = text === "";
}

/** Shows the flow that the browser came back from, as it goes on. */
async function showFlow(lab: PlaygroundLab): Promise<void> {
  const flows = await read<Array<{ id: string }>>(lab, "/lab/flows");
  const last = flows?.at(-1);
  if (last) lab.showInstead(`${lab.url}/lab/flows/${last.id}`);
}

/** Reads what the report of the lab has about clients. */
async function readReport(lab: PlaygroundLab): Promise<ReportedEntry[]> {
  type Report = Record<"findings" | "refused", ReportedEntry[]>;
  const { findings = [], refused = [] } = await read<Report>(lab, "/lab/report") ?? {};
  return [...findings, ...refused];
}

async function read<T>({ url, send }: PlaygroundLab, path: string): Promise<T | undefined> {
  const { status, body } = await send({
    url: url + path,
    method: "GET",
    headers: [["Accept", "application/json"]],
    isOfApplication: true,
  });
  return typeof body === "string" && status === 200 ? JSON.parse(body) : undefined;
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
  const reported = element("reported");
  reported.hidden = entries.length === 0;
  // Where there is room, it stays below the application.
  reported.scrollIntoView({ block: "nearest" });
}

/**
 * Returns the document of the application. Its frame is sandboxed: it has an opaque origin, and
 * reaches neither the shell nor the lab's cookies. The policy lets it connect to nowhere, so its
 * requests are messages to the shell, which passes on those for the lab alone. The page around it
 * lets its frames go to no other origin.
 */
function documentOf(source: string, { url: lab, issuer }: PlaygroundLab): string {
  const redirectUri = applicationUri(lab);
  const values = { lab, issuer: issuer(), clientId: "demo-spa", redirectUri };
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
