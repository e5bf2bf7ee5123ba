/** An npm registry on this machine, for rehearsals. */
import { Buffer } from "node:buffer";
import { mkdir } from "node:fs/promises";
import { serve } from "../../src/runtime/serve.ts";
import { succeed } from "../child.ts";

/** What npm sends to publish a version, and what a registry returns for a package. */
interface PublishedPackage {
  name: string;
  "dist-tags": Record<string, string>;
  versions: Record<string, { dist: { integrity: string } }>;
  /** The archives in Base64, by the names of their files. */
  _attachments?: Record<string, { data: string }>;
}

/**
 * Opens a registry that knows what was published to it, and nothing else. npm runs in a folder of
 * its own.
 */
export async function openRegistry(folder: string) {
  const packages = new Map<string, PublishedPackage>();
  const archives = new Map<string, Uint8Array<ArrayBuffer>>();
  const requested: string[] = [];
  await mkdir(folder, { recursive: true });

  async function publish(request: Request): Promise<Response> {
    const { _attachments = {}, ...published }: PublishedPackage = await request.json();
    for (const [file, { data }] of Object.entries(_attachments)) {
      const archive = new Uint8Array(Buffer.from(data, "base64"));
      const digest = Buffer.from(await crypto.subtle.digest("SHA-512", archive));
      const integrity = `sha512-${digest.toString("base64")}`;
      const isWhole = Object.values(published.versions).some(({ dist }) =>
        dist.integrity === integrity
      );
      if (!isWhole) return new Response("The hash is that of another archive.", { status: 400 });
      archives.set(file, archive);
    }
    packages.set(published.name, published);
    return Response.json({ ok: true }, { status: 201 });
  }

  const server = await serve({
    async fetch(request) {
      if (request.method === "PUT") return await publish(request);
      requested.push(decodeURIComponent(new URL(request.url).pathname));
      const [, name = "", version = "", file = ""] = new URL(request.url).pathname.split("/");
      const found = packages.get(name);
      const archive = archives.get(file);
      if (archive) return new Response(archive);
      const tagged = found?.versions[found["dist-tags"][version] ?? version];
      const body = version === "" ? found : tagged;
      return body ? Response.json(body) : new Response("Not found", { status: 404 });
    },
  }, { port: 0 });
  const host = `localhost:${server.port}`;
  const url = `http://${host}/`;
  return {
    url,
    /** The paths that were read, with those of packages that it does not have. */
    requested,
    publish: async (archive: string) => {
      // npm publishes nothing without a token, and this registry reads none.
      const flags = ["--access", "public", "--registry", url, `--//${host}/:_authToken=none`];
      await succeed(["npm", "publish", ...flags, archive], folder, { npm_config_offline: "" });
    },
    [Symbol.asyncDispose]: server.close,
  };
}
