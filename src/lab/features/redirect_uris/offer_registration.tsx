/** @jsxImportSource preact */
import { isLoopbackHost } from "../../../server/util/addresses/uri.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { ShortName } from "../../pages/parts/copy_text.tsx";
import type { FixPlace, OfferedFix } from "../../pages/parts/fix.tsx";
import { ActionForm } from "../../pages/parts/form.tsx";
import type { Exchange } from "../../recording/exchange.ts";
import type { AddedClientInternals } from "./feature.ts";
import { findRefusedUri } from "./refused_uri.ts";

/** The path of the form below `/lab`. */
export const registrationPath = "/register-redirect-uri";

/**
 * Offers to register the redirect URI for which the last refused request of some was refused, or its
 * client. The requests of a client that was added so say it.
 */
export function offerRegistration(
  lab: CoreLab & AddedClientInternals,
  exchanges: readonly Exchange[],
  { here, again = "Sign in at your application again", id = "register-uri", ...page }: FixPlace,
): OfferedFix | undefined {
  const refused = findRefusedUri(lab, exchanges);
  if (!refused) return noteOnAdded(lab, exchanges);
  const { request, client, wasUnknown, uri, shown, isRegistered, problem } = refused;
  if (isRegistered) {
    const next = (
      <p>
        {again}: <bdi>{client}</bdi> may use{" "}
        <code>
          <bdi>{shown}</bdi>
        </code>{" "}
        now. It lasts until the lab is reset or ends. To keep it, add it to {wasUnknown
          ? (
            <>
              <code>clients</code>{" "}
              in the configuration. The first secret that it sends is taken as its own.
            </>
          )
          : (
            <>
              <code>redirectUris</code> in the configuration of the client.
            </>
          )}
      </p>
    );
    const title = wasUnknown ? `The client ${client} is added` : "The redirect_uri is registered";
    return { done: { title, next } };
  }
  if (problem !== undefined) {
    return { note: `This redirect_uri cannot be registered: it ${problem}.` };
  }
  const isLikely = isLoopbackHost(new URL(uri).hostname);
  // The form names the request, too: what is registered is what that had, and not what is shown.
  const button = (
    <ActionForm
      page={page}
      action={registrationPath}
      back={here}
      {...isLikely && { look: "primary" }}
      id={id}
      fields={{ request: String(request), client, uri: shown }}
    >
      {wasUnknown ? "Add the client" : "Register"} <ShortName name={wasUnknown ? client : shown} />
    </ActionForm>
  );
  return {
    button,
    isLikely,
    ...!isLikely && {
      note: "A redirect URI at another host is more often a mistake than one to register.",
    },
  };
}

function noteOnAdded(
  { isAddedByHand }: AddedClientInternals,
  exchanges: readonly Exchange[],
): OfferedFix | undefined {
  const client = exchanges.map(({ request }) => request.client).find((id) =>
    id && isAddedByHand(id)
  );
  return client === undefined
    ? undefined
    : { note: `The client ${client} was added by hand after a refusal.` };
}
