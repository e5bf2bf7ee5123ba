import { tls12Suites } from "../../../runtime/cipher_suites.ts";
import { idleTimeout } from "../../../runtime/listen.ts";
import type { Site } from "../deployment.ts";

/** Returns the server blocks for nginx, with a certificate in `/etc/ssl/hallpass`. */
export function nginx({ issuer, port }: Site): string {
  const { hostname } = new URL(issuer);
  const tlsPort = new URL(issuer).port || "443";
  return `# nginx in front of Hallpass. In the configuration: "trustedProxies": "loopback"
# In an upstream with keepalive, keepalive_timeout must be below ${idleTimeout}s (nginx's default is 60s).
server {
    listen ${tlsPort} ssl;
    listen [::]:${tlsPort} ssl;
    server_name ${hostname};
    ssl_certificate     /etc/ssl/hallpass/fullchain.pem;
    ssl_certificate_key /etc/ssl/hallpass/privkey.pem;
    ssl_protocols       TLSv1.2 TLSv1.3;
    ssl_ciphers         ${tls12Suites};

    location / {
        proxy_pass http://127.0.0.1:${port};
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto https;
        # Redirects with a signed response are longer than nginx expects of headers.
        proxy_buffer_size 16k;
        proxy_buffers 8 16k;
        add_header Strict-Transport-Security "max-age=31536000" always;
    }
}

server {
    listen 80;
    listen [::]:80;
    server_name ${hostname};
    return 301 ${new URL(issuer).origin}$request_uri;
}
`;
}

/** Returns a Caddyfile. Caddy gets the certificate itself. */
export function caddy({ issuer, port }: Site): string {
  return `# Caddy in front of Hallpass. In the configuration: "trustedProxies": "loopback"
# Its keepalive must be below ${idleTimeout}s (Caddy's default is 2m).
${new URL(issuer).origin} {
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy 127.0.0.1:${port}
}
`;
}
