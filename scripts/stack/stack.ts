import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { z } from 'zod';
import { askNats } from '#shared/bus/ask-nats.ts';
import { health } from '#shared/health/contract.ts';
import {
  refuseExposedSandbox,
  sandboxWarning,
  serverVariables,
} from '#shared/server/server-env.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { builtServer, SERVER_ENV, SERVERS, type ServerName } from '../build/server-build.ts';
import { lockDataDir, URI_FILE } from './data-dir.ts';
import { watchDiskSpace } from './disk-space.ts';
import { follow, rotateLogs, openLog } from './logs.ts';
import { startMongodb, type Mongodb } from './mongodb.ts';
import { startNats } from './nats.ts';
import { NodesFile } from './nodes-file.ts';
import { passSockets } from './pass-sockets.ts';
import { freePort, isFree } from './ports.ts';
import { restartOnChange } from './restart-on-change.ts';
import { SupervisedProcess, untilReady, type OnMessage } from './supervised-process.ts';
import { stackVariables } from './variables.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_MS = MINUTE_MS;
/** How long the processes of a killed instance may take to release the port. */
const PREVIOUS_EXIT_MS = 10_000;
const PING_TIMEOUTS = { serverSelectionTimeoutMS: 5_000, socketTimeoutMS: 5_000 };

export const PROCESSES = ['mongodb', 'sync-server', 'api', 'gateway'] as const;
export type ProcessName = (typeof PROCESSES)[number];

export interface StackSettings {
  /** The public port. */
  port: number;
  dataDir: string;
  /** The environment of the processes; their ports, secret and database are added. */
  env: NodeJS.ProcessEnv;
  /** Returns the environment of one process, such as `api-1`, for tests that cut it off from others. By default, it is unchanged. */
  envOf?(name: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  /** Whether to run from source and restart the servers when it changes; by default, the build runs. */
  watch?: boolean;
  /** Cancels the start and stops all processes. */
  signal?: AbortSignal;
  /** Receives lines about progress and restarts. */
  log?(line: string): void;
}

/** The running product. A process that exits is restarted. */
export interface Stack {
  origin: string;
  /** The number of API nodes, and of sync nodes. */
  nodes: number;
  /** The ports of the servers on this machine; of several nodes, those of the first. All are in nodes.json. */
  ports: { api: number; sync: number; internal: number };
  mongodbUri: string;
  mongodb: Mongodb['kind'];
  /** External services that are simulated, such as `google`. */
  sandboxProviders: string[];
  /** For the console, if strangers could use those. */
  warning: string | null;
  /** Stops all processes, in order. */
  stop(): Promise<void>;
}

/**
 * Starts MongoDB, the sync server and the API, which browsers talk to, and waits until all are ready. With NODES above 1, it starts that
 * many sync and API nodes, NATS between them, and a gateway before them (decision 275).
 * @throws when the directory or the port is in use, or a process does not start
 */
export async function startStack(settings: StackSettings): Promise<Stack> {
  const log = settings.log ?? (() => {});
  const origin = settings.env['PUBLIC_ORIGIN'] || `http://localhost:${settings.port}`;
  const { nodes, warning } = checkVariables({ ...settings.env, PUBLIC_ORIGIN: origin });
  if (settings.watch && nodes > 1)
    throw new Error('NODES is for npm start: npm run dev runs one node of each.');
  const dataDir = await lockDataDir(settings.dataDir);
  /** Those of a group are independent of each other. */
  const started: SupervisedProcess[][] = [];
  const nodesFile = new NodesFile(dataDir.path);
  const cleanups = [rotateLogs(dataDir.path), watchDiskSpace(dataDir.path, log)];
  let mongodb: Mongodb | undefined;

  async function stop(): Promise<void> {
    for (const cleanUp of cleanups) cleanUp();
    // SIGINT: nodes need not drain, because no other one takes over.
    for (const group of started.toReversed())
      await Promise.all(group.map((each) => each.stop('SIGINT')));
    nodesFile.remove();
    dataDir.release();
  }

  async function start(...group: SupervisedProcess[]): Promise<void> {
    settings.signal?.throwIfAborted();
    started.push(group);
    await Promise.all(group.map((each) => each.start()));
  }

  /** Starts NATS, unless NATS_URL names a server. @returns its address */
  async function connectNodes(): Promise<string> {
    const configured = settings.env['NATS_URL'];
    if (configured) {
      nodesFile.add('nats', configured, null);
      return configured;
    }
    const port = await freePort();
    const startIt = () => startNats(port, dataDir.path, settings.env);
    const check = (stop: AbortSignal) => askNats(port, stop);
    const nats = new SupervisedProcess('nats', startIt, log, { check });
    const url = `nats://127.0.0.1:${port}`;
    nodesFile.add('nats', url, nats);
    await start(nats);
    return url;
  }

  const aborted = () => void stop();
  settings.signal?.addEventListener('abort', aborted, { once: true });
  try {
    await waitForPort(settings, dataDir.wasKilled);
    const startDatabase = async () => {
      mongodb = await startMongodb({ dataDir: dataDir.path, env: settings.env, log });
      return mongodb.child;
    };
    let pings: MongoClient | undefined;
    const check = async () => {
      pings ??= new MongoClient(mongodb?.uri ?? '', { ...PING_TIMEOUTS, maxPoolSize: 1 });
      await pings.db('admin').command({ ping: 1 });
    };
    cleanups.push(() => void pings?.close());
    const database = new SupervisedProcess('mongodb', startDatabase, log, { check });
    await start(database);
    if (!mongodb) throw new Error('MongoDB did not start');
    nodesFile.add('mongodb', mongodb.uri, mongodb.child && database);

    writeFileSync(join(dataDir.path, URI_FILE), mongodb.uri, { mode: 0o600 });
    const natsUrl = nodes > 1 ? await connectNodes() : settings.env['NATS_URL'];
    const shared = {
      ...SERVER_ENV,
      ...settings.env,
      MONGODB_URI: mongodb.uri,
      PUBLIC_ORIGIN: origin,
      SYNC_SECRET: settings.env['SYNC_SECRET'] ?? dataDir.syncSecret,
      NATS_URL: natsUrl,
    };
    const inner = { ...shared, HOST: '127.0.0.1' };
    /** In development, it serves the client from source. */
    const hasGateway = nodes > 1 || settings.watch === true;
    const make = (
      server: 'sync-server' | 'api' | 'gateway',
      number: number,
      url: string,
      env: NodeJS.ProcessEnv,
    ) => {
      const metricsOrigin = `http://127.0.0.1:${env['METRICS_PORT']}`;
      const check = async (signal: AbortSignal) => {
        const answer = await fetch(`${metricsOrigin}/live`, { signal });
        // Unread, it would keep its connection.
        await answer.body?.cancel();
      };
      const name = number === 0 ? server : `${server}-${number}`;
      const built = server === 'api' && !hasGateway ? 'api-with-gateway' : server;
      const program = settings.watch ? fromSource(server) : builtServer(built);
      const own = settings.envOf?.(name, env) ?? env;
      const startIt = (onMessage: OnMessage) =>
        startNode({ name, program, env: own, dataDir: dataDir.path, onMessage });
      const supervised = new SupervisedProcess(name, startIt, log, { check });
      nodesFile.add(server, url, supervised, `${metricsOrigin}/metrics`);
      return supervised;
    };
    const ports = [];
    for (let index = 0; index < nodes; index++)
      ports.push({
        sync: await freePort(),
        internal: await freePort(),
        syncMetrics: await freePort(),
        api: await freePort(),
        apiMetrics: await freePort(),
      });
    const outer = {
      ...shared,
      PORT: String(settings.port),
      SYNC_PORT: ports.map(({ sync }) => sync).join(','),
    };
    const numberOf = (index: number) => (nodes === 1 ? 0 : index + 1);
    const syncServers = ports.map(({ sync, internal, syncMetrics }, index) =>
      make('sync-server', numberOf(index), `http://127.0.0.1:${sync}`, {
        ...inner,
        SYNC_PORT: String(sync),
        SYNC_INTERNAL_PORT: String(internal),
        METRICS_PORT: String(syncMetrics),
      }),
    );
    const internalUrls = ports.map(({ internal }) => `http://127.0.0.1:${internal}`);
    const apis = ports.map(({ api, apiMetrics }, index) =>
      make('api', numberOf(index), `http://127.0.0.1:${api}`, {
        ...(hasGateway ? inner : outer),
        API_PORT: String(api),
        METRICS_PORT: String(apiMetrics),
        // Each prefers another sync node.
        SYNC_INTERNAL_URL: [...internalUrls.slice(index), ...internalUrls.slice(0, index)].join(
          ',',
        ),
      }),
    );
    if (!hasGateway) passSockets(apis[0]!, syncServers[0]!);
    const gateways = hasGateway
      ? [
          make('gateway', 0, `http://${hostOf(settings.env)}:${settings.port}`, {
            ...outer,
            API_PORT: ports.map(({ api }) => api).join(','),
            METRICS_PORT: String(await freePort()),
          }),
        ]
      : [];
    const all = [
      ...(nodes > 1 ? ['nats'] : []),
      ...[...syncServers, ...apis, ...gateways].map(({ name }) => name),
    ];
    if (settings.env['LOG_LEVEL'] === 'debug')
      for (const name of ['mongodb', ...all])
        follow(join(dataDir.path, 'logs', `${name}.log`), `[${name}]`, log);
    await Promise.all([start(...syncServers), start(...apis)]);
    await start(...gateways);
    if (settings.watch)
      for (const server of [...apis, ...syncServers])
        cleanups.push(restartOnChange(server, [join(ROOT, server.name), join(ROOT, 'shared')]));
    const sandboxProviders = await waitUntilHealthy(settings);
    return {
      origin,
      nodes,
      ports: ports[0]!,
      mongodbUri: mongodb.uri,
      mongodb: mongodb.kind,
      sandboxProviders,
      warning: sandboxProviders.length > 0 ? warning : null,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    settings.signal?.removeEventListener('abort', aborted);
  }
}

/** In development, the gateway serves the client from source. */
const fromSource = (name: ServerName): Program => ({
  script: join(ROOT, name === 'gateway' ? 'gateway/dev.ts' : SERVERS[name]),
  execArgv: ['--import', 'tsx'],
});

interface Program {
  script: string;
  execArgv: string[];
}

interface NodeSettings {
  name: string;
  program: Program;
  env: NodeJS.ProcessEnv;
  dataDir: string;
  onMessage: OnMessage;
}

async function startNode({ name, program, env, dataDir, onMessage }: NodeSettings) {
  const { script, execArgv } = program;
  const log = openLog(dataDir, name);
  try {
    const child = fork(script, [], {
      execArgv,
      cwd: ROOT,
      env,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      // In a process group of its own: Ctrl-C goes to the supervisor only, which stops the processes in order.
      detached: true,
    });
    child.on('message', (message, handle) => onMessage(message, handle, child));
    await untilReady(child, readyMessage(child), log.recentOutput);
    return child;
  } catch (error) {
    throw new Error(`Couldn't start ${name}: ${(error as Error).message}`, { cause: error });
  } finally {
    closeSync(log.fd);
  }
}

async function readyMessage(child: ChildProcess): Promise<void> {
  for (;;) {
    const [message] = (await once(child, 'message')) as [{ ready: boolean }];
    if (message.ready) return;
  }
}

/**
 * Returns the number of nodes, and a warning if strangers can use sandbox providers.
 * @throws when they can and no variable allows it, or a variable is invalid
 */
function checkVariables(source: NodeJS.ProcessEnv): { nodes: number; warning: string | null } {
  const { NODES } = stackVariables;
  const env = z
    .object({ ...serverVariables, HOST: z.string().optional(), NODES })
    .safeParse(source);
  if (!env.success) throw new Error(z.prettifyError(env.error));
  refuseExposedSandbox(env.data);
  return { nodes: env.data.NODES, warning: sandboxWarning(env.data) };
}

/** Returns an address at which the gateway can be reached from this machine. */
function hostOf(env: NodeJS.ProcessEnv): string {
  const host = env['HOST'];
  return !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

async function waitForPort({ port, env }: StackSettings, wasKilled: boolean): Promise<void> {
  const deadline = Date.now() + (wasKilled ? PREVIOUS_EXIT_MS : 0);
  while (!(await isFree(port, hostOf(env)))) {
    if (Date.now() >= deadline) throw new Error(`Port ${port} is in use. Set PORT to another one.`);
    await wait(100);
  }
}

/** Returns the sandbox providers that are in use. */
async function waitUntilHealthy({ port, env, signal }: StackSettings): Promise<string[]> {
  const deadline = Date.now() + READY_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    try {
      const response = await fetch(`http://${hostOf(env)}:${port}/api${health.path}`);
      const body: unknown = await response.json();
      const { ready, missing, sandbox_providers } = health.answer.parse(body);
      if (ready) return sandbox_providers;
      last = `missing: ${missing.join(', ')}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await wait(100);
  }
  throw new Error(`Not ready within ${READY_MS / 1000} s (${last})`);
}
