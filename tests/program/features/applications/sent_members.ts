/** The members of an application's requests that its documentation or source has. */
export interface SentMembers {
  pkce?: boolean;
  nonce?: boolean;
  par?: boolean;
  responseMode?: string;
  authentication: "client_secret_basic" | "client_secret_post" | "none";
}

/** What the requests of each listed application have besides what its entry says. */
export const sentMembers: Readonly<Record<string, SentMembers>> = {
  argocd: { pkce: true, authentication: "client_secret_basic" },
  aspnet: {
    pkce: true,
    nonce: true,
    par: true,
    responseMode: "form_post",
    authentication: "client_secret_post",
  },
  authjs: { pkce: true, authentication: "client_secret_basic" },
  "better-auth": { pkce: true, authentication: "client_secret_post" },
  "cloudflare-access": { pkce: true, authentication: "client_secret_post" },
  "django-allauth": { pkce: true, authentication: "client_secret_basic" },
  forgejo: { authentication: "client_secret_basic" },
  gitea: { authentication: "client_secret_basic" },
  gitlab: { pkce: true, nonce: true, authentication: "client_secret_post" },
  grafana: { pkce: true, authentication: "client_secret_basic" },
  "home-assistant": { pkce: true, nonce: true, authentication: "none" },
  immich: { pkce: true, authentication: "client_secret_post" },
  jellyfin: { pkce: true, par: true, authentication: "client_secret_post" },
  jupyterhub: { pkce: true, authentication: "client_secret_post" },
  keycloak: { pkce: true, nonce: true, authentication: "client_secret_post" },
  kubelogin: { pkce: true, nonce: true, authentication: "none" },
  mattermost: { authentication: "client_secret_post" },
  "mcp-python": { pkce: true, authentication: "none" },
  "mcp-typescript": { pkce: true, authentication: "none" },
  mlflow: { pkce: true, nonce: true, authentication: "client_secret_basic" },
  "mod-auth-openidc": { pkce: true, nonce: true, authentication: "client_secret_basic" },
  nextcloud: { pkce: true, nonce: true, authentication: "client_secret_post" },
  "oauth2-proxy": { pkce: true, authentication: "client_secret_basic" },
  "open-webui": { pkce: true, authentication: "client_secret_basic" },
  openbao: { pkce: true, nonce: true, authentication: "client_secret_basic" },
  outline: { pkce: true, authentication: "client_secret_post" },
  "paperless-ngx": { pkce: true, authentication: "client_secret_basic" },
  pgadmin: { pkce: true, nonce: true, authentication: "client_secret_basic" },
  portainer: { authentication: "client_secret_basic" },
  proxmox: { nonce: true, authentication: "client_secret_basic" },
  "spring-boot": { nonce: true, authentication: "client_secret_basic" },
  streamlit: { pkce: true, nonce: true, authentication: "client_secret_basic" },
  superset: { pkce: true, nonce: true, authentication: "client_secret_basic" },
  synapse: { pkce: true, nonce: true, authentication: "client_secret_basic" },
  tailscale: { authentication: "client_secret_basic" },
  vault: { pkce: true, nonce: true, authentication: "client_secret_basic" },
};
