import { playedHosts } from "../../lab/dialect/played_hosts.ts";
import { withProvider } from "../../lab/handling/lab_providers.ts";
import type { LabConfig } from "../../lab/lab_config.ts";
import { type ProviderChoice, providerNameOf } from "../../lab/lab_server/preset_file.ts";
import { isLoopbackHost, isLoopbackName, parseUrl } from "../../server/util/addresses/uri.ts";
import type { Invocation } from "../command_line/command.ts";
import { hasRealHosts } from "../configuration/configuration.ts";
import type { LabFileConfig } from "../configuration/program_config.ts";
import { type Colors, noColors } from "../terminal/color.ts";
import { UsageError } from "../terminal/exit_code.ts";

/** The mark of the lines in the hosts file that belong to a lab. */
const mark = "# hallpass";

/** The providers of a lab, and whether they have their real hosts. */
type PlayedProviders = Pick<LabFileConfig, "provider" | "providers" | "hosts">;

/** What decides about the hosts of a lab. */
interface HostChoice extends PlayedProviders {
  /** The configured issuer: that of the one provider. */
  issuer: string | undefined;
  /** The name or address to listen on. */
  hostname: string;
}

/** What a lab plays at the real hosts of providers. */
export interface RealHosts {
  /** The settings of the lab: each provider is in a tenant, and has its issuer. */
  lab: PlayedProviders;
  /** The names of all hosts, which lead to the lab. */
  names: string[];
}

/** Hosts of providers that lead to a lab, and the certificate for them. */
export interface CertifiedHosts {
  names: readonly string[];
  /** The hash of the public key of the certificate, in Base64. */
  keyHash: string;
}

/**
 * Returns the hosts of the providers that a lab plays, if it is to have them. The lab itself stays
 * at localhost, so that no such host opens its interface.
 */
export async function readRealHosts(
  invocation: Invocation,
  { hostname, ...chosen }: HostChoice,
): Promise<RealHosts | undefined> {
  const { provider, providers = [], issuer } = chosen;
  if (!hasRealHosts(invocation, chosen)) return undefined;
  const choices = provider === undefined ? providers : [provider];
  checkReach(invocation, hostname);
  if (choices.length === 0) {
    throw new UsageError("--hosts needs the providers whose hosts the lab has: --provider google");
  }
  if (issuer !== undefined && choices.length > 1) {
    throw new UsageError("With --hosts, --issuer is that of the provider: name one --provider.");
  }
  const hosts = issuersOf(choices, chosen);
  const names = await Promise.all(choices.map((choice) => namesOf(choice, hosts)));
  const lab = { provider: undefined, providers: choices, hosts };
  return { lab, names: [...new Set(names.flat())] };
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

function checkReach({ values }: Invocation, hostname: string): void {
  if (!values.has("expose") && isLoopbackHost(hostname)) return;
  throw new UsageError(
    "--hosts is for this machine alone: others would take the lab for the real providers. Remove " +
      "--expose and --host.",
  );
}

/** Adds the issuer of the one provider, if it is configured. */
function issuersOf(
  [choice]: readonly ProviderChoice[],
  { hosts, issuer }: Pick<HostChoice, "hosts" | "issuer">,
): NonNullable<PlayedProviders["hosts"]> {
  if (issuer !== undefined && choice) return { [providerNameOf(choice)]: issuer };
  return hosts || true;
}

async function namesOf(
  provider: ProviderChoice,
  hosts: PlayedProviders["hosts"],
): Promise<string[]> {
  const given: Partial<LabConfig> = { provider, hosts };
  const { issuer, dialect } = await withProvider(given);
  const names = [parseUrl(issuer ?? "")?.hostname ?? "", ...playedHosts(dialect)];
  return names.filter((name) => name !== "" && !isLoopbackName(name));
}

/** Returns the command that leads port 443 of this machine to another one. */
function forwardCommand(port: number): string {
  return `sudo socat TCP-LISTEN:443,bind=127.0.0.1,fork,reuseaddr TCP:127.0.0.1:${port}`;
}
