/** The name or IP address of a server, and its port. */
export interface ServerHost {
  host: string;
  port: number;
}

/** The parts of a URL such as `redis://USER:PASSWORD@HOST:PORT,HOST:PORT/PATH?NAME=VALUE`. */
export interface ServerUrl {
  scheme: string;
  username: string | undefined;
  password: string | undefined;
  /** As it was written, for messages. */
  hostList: string;
  hosts: ServerHost[];
  /** What follows the slash, decoded. */
  path: string;
  parameters: URLSearchParams;
}

/** Splits the URL of a database. Returns in words what is invalid, without quoting the URL. */
export function splitServerUrl(
  url: string,
  { form, defaultPort }: { form: string; defaultPort: number },
): ServerUrl | string {
  const parts = /^(\w+):\/\/(?:([^/?#]*)@)?([^/?#@]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/.exec(url);
  if (!parts) return `${form}.`;
  const [, scheme = "", userInfo = "", hostList = "", path = "", query = ""] = parts;
  const hosts = hostList.split(",").map((text) => parseHost(text, defaultPort));
  if (!hosts.every((host) => host !== undefined)) return `A host or a port is invalid. ${form}.`;
  const [name = "", ...rest] = userInfo.split(":");
  try {
    return {
      scheme,
      username: decodeURIComponent(name) || undefined,
      password: decodeURIComponent(rest.join(":")) || undefined,
      hostList,
      hosts,
      path: decodeURIComponent(path),
      parameters: new URLSearchParams(query),
    };
  } catch {
    return "The user name, the password or the path is not percent-encoded.";
  }
}

function parseHost(text: string, defaultPort: number): ServerHost | undefined {
  const url = `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  // A URL does not keep the default port of its scheme.
  const portByDefault = text.endsWith(":80") ? 80 : defaultPort;
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || portByDefault };
}
