/** What the files that operate a server depend on. */
export interface Site {
  issuer: string;
  /** The port that the server listens on. */
  port: number;
}

/** Each kind of file that `doctor --print` knows, and what writes it. */
export const snippets: Readonly<Record<string, (site: Site) => string>> = {
  nginx,
  caddy,
  systemd,
  compose,
  kubernetes,
};

function nginx({ issuer, port }: Site): string {
  const { hostname } = new URL(issuer);
  const tlsPort = new URL(issuer).port || "443";
  return `# nginx in front of Hallpass. In the configuration: "trustedProxies": "loopback"
server {
    listen ${tlsPort} ssl;
    listen [::]:${tlsPort} ssl;
    server_name ${hostname};
    ssl_certificate     /etc/ssl/hallpass/fullchain.pem;
    ssl_certificate_key /etc/ssl/hallpass/privkey.pem;

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

function caddy({ issuer, port }: Site): string {
  return `# Caddy in front of Hallpass. In the configuration: "trustedProxies": "loopback"
${new URL(issuer).origin} {
	header Strict-Transport-Security "max-age=31536000"
	reverse_proxy 127.0.0.1:${port}
}
`;
}

/** Its own state is all that the process can write. */
function systemd(): string {
  return `# /etc/systemd/system/hallpass.service
[Unit]
Description=Hallpass, an OpenID Connect server
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=/usr/local/bin/hallpass serve
# HALLPASS_CONFIG, HALLPASS_STORE, HALLPASS_SECRET, HALLPASS_PORT, ...
EnvironmentFile=/etc/hallpass/hallpass.env
User=hallpass
StateDirectory=hallpass
StateDirectoryMode=0700
Restart=on-failure
TimeoutStopSec=30
LimitNOFILE=65536

CapabilityBoundingSet=
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
UMask=0077

[Install]
WantedBy=multi-user.target
`;
}

function compose({ port }: Site): string {
  return `# compose.yaml: a proxy with TLS in front of it reaches port ${port} of this machine.
services:
  hallpass:
    image: hallpass # docker build -f scripts/Dockerfile -t hallpass .
    command: serve --config /etc/hallpass/hallpass.json --store sqlite:/data/hallpass.db
    environment:
      HALLPASS_PORT: "${port}"
      HALLPASS_HOST: 0.0.0.0
      HALLPASS_METRICS_PORT: "9464"
      HALLPASS_SECRET: \${HALLPASS_SECRET:?encrypts the signing keys}
    volumes:
      - ./hallpass.json:/etc/hallpass/hallpass.json:ro
      - hallpass:/data
    ports: ["127.0.0.1:${port}:${port}"]
    read_only: true
    cap_drop: [ALL]
    security_opt: [no-new-privileges:true]
    restart: unless-stopped
volumes:
  hallpass:
`;
}

function kubernetes({ issuer, port }: Site): string {
  const { hostname } = new URL(issuer);
  return `# kubectl create secret generic hallpass --from-literal=secret="$(openssl rand -base64 32)" \\
#   --from-literal=store=postgres://USER:PASSWORD@HOST/DATABASE
# kubectl create configmap hallpass --from-file=hallpass.json
apiVersion: apps/v1
kind: Deployment
metadata:
  name: hallpass
spec:
  replicas: 2
  selector:
    matchLabels: { app: hallpass }
  template:
    metadata:
      labels: { app: hallpass }
    spec:
      automountServiceAccountToken: false
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: hallpass
          image: hallpass
          args: [serve, --config, /etc/hallpass/hallpass.json]
          env:
            - { name: HALLPASS_HOST, value: 0.0.0.0 }
            - { name: HALLPASS_PORT, value: "${port}" }
            - { name: HALLPASS_METRICS_HOST, value: 0.0.0.0 }
            - { name: HALLPASS_METRICS_PORT, value: "9464" }
            - { name: HALLPASS_LOG, value: json }
            - name: HALLPASS_SECRET
              valueFrom: { secretKeyRef: { name: hallpass, key: secret } }
            - name: HALLPASS_STORE
              valueFrom: { secretKeyRef: { name: hallpass, key: store } }
          ports:
            - { name: http, containerPort: ${port} }
            - { name: metrics, containerPort: 9464 }
          livenessProbe:
            httpGet: { path: /health, port: http }
          readinessProbe:
            httpGet: { path: /ready, port: metrics }
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          resources:
            requests: { cpu: 100m, memory: 128Mi }
            limits: { memory: 512Mi }
          volumeMounts:
            - { name: config, mountPath: /etc/hallpass, readOnly: true }
      volumes:
        - name: config
          configMap: { name: hallpass }
---
apiVersion: v1
kind: Service
metadata:
  name: hallpass
spec:
  selector: { app: hallpass }
  ports:
    - { name: http, port: 80, targetPort: http }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: hallpass
spec:
  tls:
    - { hosts: [${hostname}], secretName: hallpass-tls }
  rules:
    - host: ${hostname}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: { service: { name: hallpass, port: { name: http } } }
`;
}
