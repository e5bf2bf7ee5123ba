import type { Answer } from "./answers.ts";
import type { Credential, CredentialFilter } from "./credentials.ts";
import type { ModelSettings, ServerNode } from "./server_node.ts";
import type { World } from "./world.ts";

/** A request or a command, and what the model knows of it. */
export interface Operation {
  name: string;
  /** Runs the operation on the real program. */
  run(node: ServerNode, world: World): Promise<Answer>;
  /** The credentials without which it is refused. */
  needs?: readonly string[];
  /** The credential that it uses up. */
  spends?: string;
  /**
   * That credential, if another operation, its authorization, makes it usable: the poll may come
   * too early, and what was allowed may have ended before it comes.
   */
  polls?: Credential;
  /** What has ended once it was acknowledged. */
  ends?: CredentialFilter;
  /** What has ended, too, as long as `holds`. */
  endsWhileItHolds?: CredentialFilter;
  /** What may have ended, depending on the order. Default: what it ends. */
  mayEnd?: CredentialFilter;
  /** What it changes under a lock: another operation that does so may be asked to try again. */
  locks?: readonly string[];
  /** Whether what it was asked for is so, on a server that looks afterwards. */
  holds?(node: ServerNode, world: World): Promise<boolean>;
  /** The operations after which `holds` need not be true. */
  undoneBy?: readonly string[];
  /** Makes the name usable again. What has ended must not come back. */
  revive?(node: ServerNode): Promise<void>;
  /** Whether it must change no row: it uses another client's credential. */
  isForeign?: boolean;
  /** The settings of its servers, if they are not the usual ones. */
  settings?: Partial<ModelSettings>;
}

/** Finds a credential of the world. */
export function credentialOf(
  { credentials }: Pick<World, "credentials">,
  name: string,
): Credential {
  const found = credentials.find((credential) => credential.name === name);
  if (!found) throw new Error(`The world has no credential '${name}'.`);
  return found;
}
