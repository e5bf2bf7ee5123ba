import type { TestLab } from "../../src/lab/testing/mod.ts";

/** A request for a token of a service account, as a kubelet sends it. */
export interface TokenRequestOptions {
  namespace?: string;
  name?: string;
  spec?: Record<string, unknown>;
  bearer?: string;
  method?: string;
  /** In place of a TokenRequest with the spec. */
  body?: string;
}

/** The pod that a token is bound to. */
export const pod = { kind: "Pod", apiVersion: "v1", name: "checkout-7d9c" };

/** Sends a TokenRequest to a lab that plays Kubernetes. */
export async function requestToken(
  lab: TestLab,
  {
    namespace = "shop",
    name = "checkout",
    spec = {},
    bearer = "token-of-the-kubelet",
    method = "POST",
    body = JSON.stringify({ kind: "TokenRequest", apiVersion: "authentication.k8s.io/v1", spec }),
  }: TokenRequestOptions = {},
): Promise<Response> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  return await lab.fetch(lab.issuer + path, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
    ...method === "POST" && { body },
  });
}
