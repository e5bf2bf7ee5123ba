import { idleTimeout } from "../../../runtime/listen.ts";
import { basePath } from "../../../server/protocol/issuer_url.ts";
import { migrationTimeout } from "../../../server/store/postgres/schema.ts";
import { minute } from "../../../server/util/time/duration.ts";
import { storeTimeout } from "../../operate/wait_for_store.ts";
import type { Site } from "../deployment.ts";

/** The network of the container, in which the machine is the gateway. */
const subnet = "172.30.94.0/24";
const gateway = "172.30.94.1";

/** How often Kubernetes looks whether the server has started, in seconds. */
const startPeriod = 5;

/** How often it looks before it starts the server again: longer than the server itself waits. */
const startChecks = (storeTimeout + migrationTimeout / 1000 + 1 * minute) / startPeriod;

/** Where the volume of the container is, for a store in a file. */
const fileStore = "sqlite:/data/hallpass.db";

/**
 * Returns a file for Docker Compose. A proxy on the machine comes through a published port, and so
 * from the gateway of the container's network, not from loopback. The address of a database may
 * contain a password, and comes from the environment.
 */
export function compose({ port, metricsPort, store = fileStore }: Site): string {
  const isFile = /^(sqlite:|memory$)/.test(store);
  const storeValue = isFile ? fileStore : "${HALLPASS_STORE:?the address of the database}";
  return `# compose.yaml: a proxy with TLS in front of it reaches port ${port} of this machine.
# In the configuration: "trustedProxies": ["${gateway}"]
services:
  hallpass:
    image: hallpass # docker build -f scripts/Dockerfile -t hallpass .
    command: serve --config /etc/hallpass/hallpass.json
    environment:
      HALLPASS_STORE: ${storeValue}
      HALLPASS_PORT: "${port}"
      HALLPASS_HOST: 0.0.0.0
      HALLPASS_METRICS_PORT: "${metricsPort}"
      HALLPASS_SECRET: \${HALLPASS_SECRET:?encrypts the signing keys}
    volumes:
      - ./hallpass.json:/etc/hallpass/hallpass.json:ro
${isFile ? "      - hallpass:/data\n" : ""}    ports: ["127.0.0.1:${port}:${port}"]
    read_only: true
    cap_drop: [ALL]
    security_opt: [no-new-privileges:true]
    restart: unless-stopped
networks:
  default:
    ipam: { config: [{ subnet: ${subnet}, gateway: ${gateway} }] }
${isFile ? "volumes:\n  hallpass:\n" : ""}`;
}

/** Returns the objects for Kubernetes. */
export function kubernetes({ issuer, port, metricsPort }: Site): string {
  const { hostname } = new URL(issuer);
  const health = `${basePath(issuer)}/health`;
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
      # preStop takes 10 seconds, and finishing the requests in progress up to 10 more.
      terminationGracePeriodSeconds: 30
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: hallpass
          image: hallpass
          args: [serve, --config, /etc/hallpass/hallpass.json]
          env:
            - { name: HALLPASS_HOST, value: 0.0.0.0 }
            - { name: HALLPASS_PORT, value: "${port}" }
            - { name: HALLPASS_METRICS_HOST, value: 0.0.0.0 }
            - { name: HALLPASS_METRICS_PORT, value: "${metricsPort}" }
            - { name: HALLPASS_LOG, value: json }
            - name: HALLPASS_SECRET
              valueFrom: { secretKeyRef: { name: hallpass, key: secret } }
            - name: HALLPASS_STORE
              valueFrom: { secretKeyRef: { name: hallpass, key: store } }
          ports:
            - { name: http, containerPort: ${port} }
            - { name: metrics, containerPort: ${metricsPort} }
          # The server waits up to a minute for its database, and ten for new tables.
          startupProbe:
            httpGet: { path: ${health}, port: http }
            periodSeconds: ${startPeriod}
            failureThreshold: ${startChecks}
          livenessProbe:
            httpGet: { path: ${health}, port: http }
          readinessProbe:
            httpGet: { path: /ready, port: metrics }
          # Until every proxy knows that this pod is leaving, it goes on as before.
          lifecycle:
            preStop: { exec: { command: [sleep, "10"] } }
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
kind: Ingress # Hallpass keeps idle connections for ${idleTimeout} seconds: a proxy must close them earlier.
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
