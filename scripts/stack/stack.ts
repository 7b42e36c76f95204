import { fork } from 'node:child_process';
import { closeSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { health } from '#shared/health/contract.ts';
import {
  refuseExposedSandbox,
  sandboxWarning,
  serverVariables,
} from '#shared/server/server-env.ts';
import { z } from 'zod';
import { takeDataDir } from './data-dir.ts';
import { follow, keepLogsShort, openLog } from './logs.ts';
import { startMongodb, type Mongodb } from './mongodb.ts';
import { Part, untilReady } from './supervised-process.ts';
import { freePort, isFree } from './ports.ts';
import { builtServer, SERVERS, type ServerName } from '../build/server-build.ts';
import { restartOnChange } from './restart-on-change.ts';

const ROOT = join(import.meta.dirname, '../..');
const READY_MS = 60_000;
/** How long the parts of an instance that was killed may take to let go of their port. */
const PREDECESSOR_MS = 10_000;

/** In the data directory of a running instance: where its MongoDB is, for `npm run seed`. */
export const URI_FILE = 'mongodb-uri';

export const PARTS = ['mongodb', 'sync-server', 'api', 'front'] as const;
export type PartName = (typeof PARTS)[number];

export interface StackSettings {
  /** The one port that people use. */
  port: number;
  dataDir: string;
  /** What the parts are told, beside what they need of each other. */
  env: NodeJS.ProcessEnv;
  /** Runs everything from source and starts the parts again when theirs changes; otherwise what was built runs. */
  watch?: boolean;
  /** Ends a start that has not come to its end, leaving nothing running. */
  signal?: AbortSignal;
  /** Takes lines about what goes on: progress, restarts. */
  log?(line: string): void;
}

/** Everything, running: each part is started again when it ends. */
export interface Stack {
  origin: string;
  /** Where the servers listen, on this machine. */
  ports: { api: number; sync: number; internal: number };
  mongodbUri: string;
  /** How MongoDB was found. */
  mongodb: Mongodb['kind'];
  /** Providers that run as stand-ins, such as `google`. */
  standIns: string[];
  /** For the console, where strangers could reach those. */
  warning: string | null;
  parts: Record<PartName, Part>;
  /** Stops all parts, in order. */
  stop(): Promise<void>;
}

/**
 * Starts MongoDB, the sync server, the api and the front on one origin, and waits until all are ready.
 * @throws when the directory or the port is taken, or a part does not start, saying which
 */
export async function startStack(settings: StackSettings): Promise<Stack> {
  const log = settings.log ?? (() => {});
  const origin = settings.env['PUBLIC_ORIGIN'] || `http://localhost:${settings.port}`;
  const warning = checkExposure({ ...settings.env, PUBLIC_ORIGIN: origin });
  const dataDir = await takeDataDir(settings.dataDir);
  const started: Part[] = [];
  const watching = [keepLogsShort(dataDir.path)];
  let mongodb: Mongodb | undefined;

  async function stop(): Promise<void> {
    for (const unwatch of watching) unwatch();
    for (const part of started.toReversed()) await part.stop();
    dataDir.release();
  }

  function start(part: Part): Promise<void> {
    settings.signal?.throwIfAborted();
    started.push(part);
    return part.start();
  }

  const aborted = () => void stop();
  settings.signal?.addEventListener('abort', aborted, { once: true });
  try {
    await portFree(settings, dataDir.abandoned);
    const database = new Part(
      'mongodb',
      async () => {
        mongodb = await startMongodb({ dataDir: dataDir.path, env: settings.env, log });
        return mongodb.child;
      },
      log,
    );
    await start(database);
    if (!mongodb) throw new Error('MongoDB did not start');

    writeFileSync(join(dataDir.path, URI_FILE), mongodb.uri, { mode: 0o600 });
    const ports = { sync: await freePort(), internal: await freePort(), api: await freePort() };
    const shared = {
      ...settings.env,
      MONGODB_URI: mongodb.uri,
      PUBLIC_ORIGIN: origin,
      SYNC_SECRET: settings.env['SYNC_SECRET'] ?? dataDir.syncSecret,
    };
    const inner = { ...shared, HOST: '127.0.0.1' };
    const make = (name: ServerName, env: NodeJS.ProcessEnv) => {
      const program = settings.watch ? fromSource(name) : builtServer(name);
      return new Part(name, () => startNode(name, program, env, dataDir.path), log);
    };
    const syncServer = make('sync-server', {
      ...inner,
      SYNC_PORT: String(ports.sync),
      SYNC_INTERNAL_PORT: String(ports.internal),
    });
    const api = make('api', {
      ...inner,
      API_PORT: String(ports.api),
      SYNC_INTERNAL_URL: `http://127.0.0.1:${ports.internal}`,
    });
    const front = make('front', {
      ...shared,
      PORT: String(settings.port),
      API_PORT: String(ports.api),
      SYNC_PORT: String(ports.sync),
    });
    if (settings.env['LOG_LEVEL'] === 'debug')
      for (const name of PARTS) follow(join(dataDir.path, 'logs', `${name}.log`), `[${name}]`, log);
    await Promise.all([start(syncServer), start(api)]);
    await start(front);
    if (settings.watch)
      for (const part of [api, syncServer])
        watching.push(restartOnChange(part, [join(ROOT, part.name), join(ROOT, 'shared')]));
    const standIns = await untilHealthy(settings, settings.signal);
    return {
      origin,
      ports,
      mongodbUri: mongodb.uri,
      mongodb: mongodb.kind,
      standIns,
      warning: standIns.length > 0 ? warning : null,
      parts: { mongodb: database, 'sync-server': syncServer, api, front },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    settings.signal?.removeEventListener('abort', aborted);
  }
}

/** The front of those who work on the client has the sources to serve. */
const fromSource = (name: ServerName): Program => ({
  script: join(ROOT, name === 'front' ? 'gateway/dev.ts' : SERVERS[name]),
  execArgv: ['--import', 'tsx'],
});

interface Program {
  script: string;
  execArgv: string[];
}

async function startNode(
  name: ServerName,
  { script, execArgv }: Program,
  env: NodeJS.ProcessEnv,
  dataDir: string,
) {
  const log = openLog(dataDir, name);
  try {
    const child = fork(script, [], {
      execArgv,
      cwd: ROOT,
      env,
      stdio: ['ignore', log.fd, log.fd, 'ipc'],
      // In a process group of its own: a Ctrl-C is for the supervisor, which stops the parts in order.
      detached: true,
    });
    await untilReady(child, (done) => child.once('message', done), log.lately).catch(
      (error: Error) => {
        throw new Error(`${name} did not start: ${error.message}`, { cause: error });
      },
    );
    return child;
  } finally {
    closeSync(log.fd);
  }
}

/** @throws naming the variable, when sandbox providers would be open to strangers by mistake */
function checkExposure(source: NodeJS.ProcessEnv): string | null {
  const env = z.object({ ...serverVariables, HOST: z.string().optional() }).safeParse(source);
  if (!env.success) throw new Error(z.prettifyError(env.error));
  refuseExposedSandbox(env.data);
  return sandboxWarning(env.data);
}

/** An address at which the front can be reached from here. */
function hostOf(env: NodeJS.ProcessEnv): string {
  const host = env['HOST'];
  return !host || host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
}

async function portFree({ port, env }: StackSettings, abandoned: boolean): Promise<void> {
  const deadline = Date.now() + (abandoned ? PREDECESSOR_MS : 0);
  while (!(await isFree(port, hostOf(env)))) {
    if (Date.now() >= deadline)
      throw new Error(`port ${port} is in use: choose another one with PORT`);
    await wait(100);
  }
}

/** @returns the stand-ins that are in use */
async function untilHealthy({ port, env }: StackSettings, signal?: AbortSignal): Promise<string[]> {
  const deadline = Date.now() + READY_MS;
  let last = 'no answer';
  while (Date.now() < deadline) {
    signal?.throwIfAborted();
    try {
      const response = await fetch(`http://${hostOf(env)}:${port}/api${health.path}`);
      const body: unknown = await response.json();
      const { ready, missing, stand_ins } = health.answer.parse(body);
      if (ready) return stand_ins;
      last = `missing: ${missing.join(', ')}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await wait(100);
  }
  throw new Error(`not ready within ${READY_MS / 1000} s (${last})`);
}
