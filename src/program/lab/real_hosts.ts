import type { LabFileConfig } from "../configuration/program_config.ts";
import { type Colors, noColors } from "../terminal/color.ts";

/** The mark of the lines in the hosts file that belong to a lab. */
const mark = "# hallpass";

/** The settings of a lab, and where it would be without hosts of others. */
export interface GivenLab {
  lab: LabFileConfig;
  issuer: string | undefined;
  /** The name or address to listen on. */
  hostname: string;
}

/** The settings of a lab, and the hosts of others that lead to it, if there are any. */
export interface PlannedLab {
  lab: LabFileConfig;
  hostNames?: readonly string[];
}

/** Hosts of others that lead to a lab, and the certificate for them. */
export interface CertifiedHosts {
  names: readonly string[];
  /** The hash of the public key of the certificate, in Base64. */
  keyHash: string;
}

/** Returns what to do if the port of real hosts cannot be opened. */
export function portAdvice(port: number, isTaken: boolean): string {
  const other = port === 8443 ? 9443 : 8443;
  const elsewhere = `choose another with --port ${other}, and lead port 443 there, which clients ` +
    `of real hosts call: ${forwardCommand(other)}`;
  if (isTaken || port !== 443) return elsewhere;
  return "on Linux, this lets every user listen there: sudo sysctl " +
    `net.ipv4.ip_unprivileged_port_start=443. Or ${elsewhere}`;
}

/** Returns how clients of real hosts find a lab, and how that ends. */
export function hostLines(
  { names, keyHash }: CertifiedHosts,
  address: string,
  { dim }: Colors = noColors,
): string[] {
  const port = Number(new URL(address).port || 443);
  const entries = ["127.0.0.1", "::1"].map((ip) => `'${[ip, ...names, mark].join(" ")}'`);
  const rules = names.map((name) => `MAP ${name} 127.0.0.1:${port}`).join(", ");
  return [
    `  ${dim("Hosts".padEnd(11))}lead programs of this machine here, by its hosts file:`,
    `    printf '%s\\n' ${entries.join(" ")} | sudo tee -a /etc/hosts`,
    ...port === 443 ? [] : [`    ${forwardCommand(port)}      # they call port 443`],
    "  and afterwards, so that they reach the real ones again:",
    `    sudo sed -i.bak '/${mark}$/d' /etc/hosts`,
    `  ${dim("Browser".padEnd(11))}needs no hosts file, and trusts the lab alone:`,
    `    chromium --user-data-dir=$(mktemp -d) --host-resolver-rules='${rules}' \\`,
    `      --ignore-certificate-errors-spki-list=${keyHash} ${address}/`,
  ];
}

/** Returns the command that leads port 443 of this machine to another one. */
function forwardCommand(port: number): string {
  return `sudo socat TCP-LISTEN:443,bind=127.0.0.1,fork,reuseaddr TCP:127.0.0.1:${port}`;
}
