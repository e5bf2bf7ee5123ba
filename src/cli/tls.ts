import { readTextFile } from "./config_file.ts";
import { UsageError } from "./usage_error.ts";

/** A certificate and its private key, in PEM. */
export interface Tls {
  cert: string;
  key: string;
}

export async function readTls(
  cert: string | undefined,
  key: string | undefined,
): Promise<Tls | undefined> {
  if (!cert && !key) return undefined;
  if (!cert || !key) throw new UsageError("TLS needs both --cert and --key.");
  return { cert: await readPem(cert, "CERTIFICATE"), key: await readPem(key, "PRIVATE KEY") };
}

/** Tools write remarks before the first line of PEM; what is not PEM from its first character on would be taken for a path. */
async function readPem(path: string, what: string): Promise<string> {
  const text = await readTextFile(path);
  const start = text.indexOf("-----BEGIN ");
  if (start < 0 || !text.includes(`${what}-----`)) {
    throw new UsageError(`The file ${path} holds no ${what.toLowerCase()} in PEM.`);
  }
  return text.slice(start);
}
