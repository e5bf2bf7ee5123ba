import { unlink, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { LabCertificate } from "../../lab/certificates/lab_certificate.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import { shellQuote } from "../../server/util/text/shell_quote.ts";
import { type Invocation, valueOf } from "../command_line/command.ts";
import type { Configuration } from "../configuration/configuration.ts";
import { UsageError } from "../terminal/exit_code.ts";

/** The file with the certificate that clients must trust, in the folder of the program's start. */
const authorityFile = "hallpass-ca.pem";

/** A certificate for a day, and where the certificate of its authority is. */
export interface LabTls extends LabCertificate {
  caFile: string;
}

export async function makeLabTls(
  invocation: Invocation,
  { program, server }: Configuration,
  played?: readonly string[],
): Promise<LabTls | undefined> {
  if (!invocation.values.has("tls") && !played) return undefined;
  if (program.cert || program.key) {
    const option = played ? "--hosts" : "--tls";
    throw new UsageError(`${option} makes a certificate: remove it, or --cert and --key.`);
  }
  const name = program.host ?? valueOf(invocation, "host");
  const { hostsOf, makeLabCertificate } = await import(
    "../../lab/certificates/lab_certificate.ts"
  );
  const certificate = await makeLabCertificate(hostsOf(server, { listensOn: name, played }));
  const caFile = resolve(authorityFile);
  // A planted link of this name would redirect the certificate to another file.
  await unlink(caFile).catch(() => {});
  try {
    await writeFile(caFile, certificate.ca);
  } catch (cause) {
    throw new UsageError(`The file ${caFile} cannot be written: ${messageOf(cause)}`);
  }
  return { ...certificate, caFile };
}

/** Returns how the browsers of a user trust the lab, one line for each system. */
export function browserTrustLines(caFile: string): string[] {
  const path = shellQuote(caFile);
  return [
    "  For browsers, until you remove it again:",
    `    security add-trusted-cert -k ~/Library/Keychains/login.keychain-db ${path}  # macOS`,
    `    certutil -d sql:"$HOME/.pki/nssdb" -A -t C,, -n hallpass -i ${path}         # Linux`,
    `    certutil -user -addstore Root ${path}                                       # Windows`,
  ];
}

/** Returns how to start an application that trusts the lab, one line for each runtime. */
export function trustLines(caFile: string): string[] {
  const path = shellQuote(caFile);
  const store = "-keystore hallpass-ca.p12 -storepass changeit";
  const trust = "-Djavax.net.ssl.trustStore=hallpass-ca.p12";
  return [
    "  TLS        with a certificate for a day. Start your application with one of these:",
    `    NODE_EXTRA_CA_CERTS=${path} npm start      # Node and Bun`,
    `    DENO_CERT=${path} deno task start          # Deno`,
    `    SSL_CERT_FILE=${path} go run .             # Go, Python and Ruby`,
    `    REQUESTS_CA_BUNDLE=${path} python app.py   # Python with requests`,
    `    curl --cacert ${path} …`,
    `    keytool -importcert -noprompt -alias hallpass -file ${path} ${store} &&`,
    `      JAVA_TOOL_OPTIONS='${trust} -Djavax.net.ssl.trustStorePassword=changeit' mvn test`,
  ];
}

/** Makes the printed commands trust the certificate of the lab, which no other program does. */
export function trustInCommands(lines: readonly string[], caFile: string): string[] {
  const option = `curl --cacert ${shellQuote(caFile)} `;
  return lines.map((line) => line.replace(/(?<=^ {4}(?:\w+=\$\()?)curl /, () => option));
}
